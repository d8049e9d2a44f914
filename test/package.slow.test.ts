import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../lib/runtime/package-root.js';
import { argv } from './support/argv.js';
import { packPackage } from './support/pack-package.js';
import { temporaryFolder } from './support/temporary-folder.js';
import { openService } from './workflows/service.js';

const run = promisify(execFile);
const root = packageRoot();

/** The programs of the README and the library guide, by name. */
const programs = ['README.md', 'docs/library.md'].flatMap((page) =>
  [...readFileSync(path.join(root, page), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code = ''], index) => [`${path.basename(page, '.md')}-${index}`, code] as const,
  ),
);

describe('the package in an empty project', () => {
  const project = temporaryFolder();
  const installed = path.join(project, 'node_modules', 'public-extract');
  const env = { ...process.env, EXTRACT_HOME: path.join(project, 'home'), NODE_OPTIONS: '' };
  const inProject = { cwd: project, env };
  const write = (name: string, text: string) => writeFileSync(path.join(project, name), text);
  /** Compiles files of the project, or all of it. */
  const compile = (...args: string[]) =>
    run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), ...args], inProject).catch(
      (error: { stdout: string }) => assert.fail(error.stdout),
    );

  before(async () => {
    // Other tests run the existing build, so pack that one and build only if there is none.
    const packed = await packPackage(project, existsSync(path.join(root, 'dist', 'lib', 'index.js')));
    mkdirSync(installed, { recursive: true });
    await run('tar', argv`-xzf ${packed} -C ${installed} --strip-components=1`);
    // Dependencies are already installed next to the sources, so no registry is used.
    const { dependencies } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    for (const name of [...Object.keys(dependencies), '@types/node']) {
      const link = path.join(project, 'node_modules', name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(root, 'node_modules', name), link);
    }
    write('package.json', '{"type":"module"}');
    const compilerOptions = {
      ...{ module: 'NodeNext', target: 'ES2022', strict: true, exactOptionalPropertyTypes: true },
      ...{ outDir: 'out', types: ['node'] },
    };
    write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    for (const [name, code] of programs) write(`${name}.ts`, code);
  });

  test('compiles the programs of the README and the guide', async () => {
    await compile();
  });

  test('runs them to their end', async () => {
    const { url, apiKey } = await openService(() => undefined);
    const begin = [];
    for (const [name] of programs) {
      const file = path.join(project, 'out', `${name}.js`);
      // The test's server replaces the one at the usual address.
      writeFileSync(file, readFileSync(file, 'utf8').replace('http://localhost:8787', url));
      const asCustomer = { cwd: project, env: { ...env, EXTRACT_API_KEY: apiKey }, timeout: 60_000 };
      const { stdout, stderr } = await run(process.execPath, [file], asCustomer);
      assert.equal(stderr, '', name);
      begin.push(stdout.split(/[\n ]/, 1)[0]);
    }
    const first = ['Mira', 'shortvideo/profile', '7572000000000000001', '['];
    assert.deepEqual(begin, [...first, 'mira.kettle', 'Mira', 'mira.kettle', 'mira.kettle', 'Kaffeehaus']);
  });

  test('includes the client and the webhook check', async () => {
    const code = `
      import { createClient, ExtractError } from 'public-extract/client';
      import { verifyWebhook } from 'public-extract/webhook';
      const client = createClient({ baseUrl: 'http://127.0.0.1:9', fetch: async () => new Response('no') });
      const error = await client.getPlace({ place_id: 'x' }).catch((reason) => reason);
      console.log(error instanceof ExtractError, error.code, verifyWebhook({ body: '', signature: '', secret: 'x' }));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], inProject);
    assert.equal(stdout, 'true platform_unavailable false\n');
  });

  test('is required by CommonJS, with its types', async () => {
    const code = `
      import library = require('public-extract');
      import client = require('public-extract/client');
      import webhook = require('public-extract/webhook');
      async function main(): Promise<void> {
        const { data } = await library.getShortvideoProfile({ username: 'mira.kettle', demo: true });
        const remote = client.createClient({ baseUrl: 'http://127.0.0.1:9', fetch: async () => new Response('no') });
        const error: unknown = await remote.getPlace({ place_id: 'x' }).catch((reason) => reason);
        console.log(data.username, error instanceof client.PlatformError, typeof webhook.verifyWebhook);
      }
      void main();`;
    write('required.cts', code);
    const options = argv`--module nodenext --target es2022 --strict --types node --outDir out`;
    await compile(...options, 'required.cts');
    const { stdout, stderr } = await run(process.execPath, ['out/required.cjs'], inProject);
    assert.deepEqual([stdout, stderr], ['mira.kettle true function\n', '']);
  });

  test('carries what it needs and nothing of its workshop', () => {
    const files = readdirSync(installed).sort();
    const documents = ['CHANGELOG.md', 'LICENSE', 'README.md'];
    // `extract server deploy` prints what lies in `deploy`.
    assert.deepEqual(files, [...documents, 'bin', 'deploy', 'dist', 'docs', 'package.json']);
    assert.match(readFileSync(path.join(installed, 'dist', 'THIRD-PARTY.txt'), 'utf8'), /zod/);
  });
});
