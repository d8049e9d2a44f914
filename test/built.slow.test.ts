import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RollupBuild } from 'rollup';
import type * as library from '../lib/index.js';
import { packageRoot } from '../lib/runtime/package-root.js';
import { casesOf } from '../lib/samples.js';
import { argv } from './support/argv.js';
import { expectedAnswers } from './support/cases.js';
import { freshBuild } from './support/fresh-build.js';
import { addressOf } from './support/program-output.js';
import { temporaryFolder } from './support/temporary-folder.js';

const root = packageRoot();
const folder = freshBuild([path.join('scripts', 'build.mjs')]);
const home = temporaryFolder();
const env: NodeJS.ProcessEnv = { ...process.env, EXTRACT_HOME: home };
const main = `(await import('${pathToFileURL(path.join(folder, 'src/faces/cli/main.js'))}')).main()`;

/** Runs Node.js on a file, or on a script with the arguments of the command. */
const node = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: { ...env, ...more } });
const evaluated = (script: string, args: readonly string[]) => [
  ...['--input-type=module', '--eval', script, 'extract', ...args],
];

/** Runs the built command. */
function extract(args: readonly string[], more?: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = node(evaluated(main, args), more);
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
}

describe('the built code', () => {
  test('answers as the sources do, in every format', () => {
    const call = argv`shortvideo profile mira.kettle --demo --fields username,follower_count --format`;
    const { data } = JSON.parse(extract([...call, 'json']));
    assert.deepEqual(data, { username: 'mira.kettle', follower_count: 783427 });
    for (const [format, text] of [
      ['csv', 'username,follower_count\nmira.kettle,783427\n'],
      ['ndjson', '{"username":"mira.kettle","follower_count":783427}\n'],
      ['table', 'username        mira.kettle\nfollower_count  783,427\n'],
    ] as const)
      assert.equal(extract([...call, format]), text);
    assert.match(extract(argv`endpoints --format table`), /^maps\/places +Google Maps search/);
  });

  test('loads at most 900 KB for a first call, samples aside', () => {
    const coverage = path.join(home, 'coverage');
    extract(argv`shortvideo profile mira.kettle --demo --json`, { NODE_V8_COVERAGE: coverage });
    const [report] = readdirSync(coverage);
    const { result } = JSON.parse(readFileSync(path.join(coverage, report ?? ''), 'utf8'));
    const files = (result as readonly { url: string }[])
      .filter(({ url }) => url.startsWith(pathToFileURL(folder).href) && !url.includes('/samples-'))
      .map(({ url }) => statSync(new URL(url)).size);
    const size = files.reduce((sum, bytes) => sum + bytes, 0);
    assert.ok(files.length >= 2 && size <= 900_000, `${files.length} files, ${size} bytes`);
  });

  test('checks a machine that has none of the optional packages', () => {
    const { peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const withoutPeers = `import { registerHooks } from 'node:module';
      const peers = ${JSON.stringify(Object.keys(peerDependencies))};
      registerHooks({ resolve(name, context, next) {
        if (peers.includes(name)) throw Object.assign(new Error(name), { code: 'MODULE_NOT_FOUND' });
        return next(name, context);
      } });`;
    const { stdout, stderr } = node(evaluated(`${withoutPeers} ${main}`, argv`doctor --json`));
    assert.equal(stderr, '');
    assert.match(stdout, /"native module","status":"ok"/);
  });

  test('prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    assert.equal(extract(['--version']), `${version}\n`);
  });

  test('exports the library with all its names', async () => {
    const built: typeof library = await import(path.join(folder, 'lib', 'index.js'));
    const source = await import('../lib/index.js');
    assert.deepEqual(Object.keys(built).sort(), Object.keys(source).sort());
    const extractor = built.createExtractor({ home });
    const { data } = await extractor.getShortvideoProfile({ username: 'mira.kettle', demo: true });
    assert.equal(data.follower_count, 783427);
    await assert.rejects(extractor.getShortvideoProfile({ username: 'a b', demo: true }), built.ExtractError);
    await extractor.close();
  });

  describe('in the bundle of another program', () => {
    const app = path.join(folder, `app-${process.pid}`);
    const entry = path.join(app, 'program.mjs');
    let rolled: Promise<RollupBuild> | undefined;
    const bundlers: Readonly<
      Record<string, (format: 'esm' | 'cjs', file: string, external: readonly string[]) => Promise<unknown>>
    > = {
      esbuild: async (format, outfile, external) => {
        const { build } = await import('esbuild');
        await build({
          ...{ entryPoints: [entry], bundle: true, platform: 'node', format, outfile, logLevel: 'silent' },
          external: [...external],
        });
      },
      rollup: async (format, file, external) => {
        const { rollup } = await import('rollup');
        // It reads all modules once, and writes them in either format.
        rolled ??= rollup({ input: entry, external: [...external], onwarn: () => undefined });
        await (await rolled).write({ format, file, inlineDynamicImports: true });
      },
    };

    after(async () => {
      await (await rolled)?.close();
      rmSync(app, { recursive: true, force: true });
    });
    before(() => {
      mkdirSync(app);
      writeFileSync(
        entry,
        `import { createExtractor } from '../lib/index.js';
const extractor = createExtractor({ home: ${JSON.stringify(home)}, browser: 'never', httpsProxy: 'http://127.0.0.1:9' });
const code = (call) => call.then(() => 'ok', (error) => error.code + ' ' + error.message);
const params = { username: 'mira.kettle' };
Promise.all([
  extractor.getShortvideoProfile({ ...params, demo: true }).then(({ data }) => data.follower_count),
  code(extractor.getShortvideoProfile(params)),
]).then((lines) => console.log(lines.join('\\n')));
`,
      );
    });

    const run = async (bundler: string, format: 'esm' | 'cjs', external: readonly string[]) => {
      const file = path.join(app, `${bundler}-${external.length}.${format === 'esm' ? 'mjs' : 'cjs'}`);
      await bundlers[bundler]?.(format, file, external);
      const { stdout, stderr } = node([file]);
      const [sample, real = ''] = stdout.split('\n');
      assert.equal(sample, '783427', stderr);
      return real;
    };

    for (const format of ['esm', 'cjs'] as const) {
      for (const bundler of Object.keys(bundlers))
        test(`of ${bundler} (${format}) a call reaches for the platform`, async () => {
          assert.match(await run(bundler, format, ['better-sqlite3']), /^platform_unavailable .*proxy/);
        });

      test(`of esbuild (${format}) that bundled SQLite, a call explains what to do`, async () => {
        assert.match(await run('esbuild', format, []), /was bundled.*Leave it out.*public-extract\/client/);
      });
    }
  });

  test('reads the sample of every endpoint, whatever that loads', async () => {
    const { createExtractor, endpoints: rows }: typeof library = await import(
      path.join(folder, 'lib', 'index.js')
    );
    const extractor = createExtractor({ home });
    for (const endpoint of rows) {
      const [sample] = await casesOf(endpoint);
      assert.ok(sample);
      const { json } = await extractor.answer(endpoint, { ...sample.params, demo: true });
      assert.deepEqual(JSON.parse(json), expectedAnswers(endpoint, sample)[0], endpoint.path);
    }
    await extractor.close();
  });

  test('serves the pages of the dashboard', async () => {
    const server = spawn(process.execPath, evaluated(main, argv`serve --port 0`), {
      ...{ cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] },
    });
    try {
      const url = await addressOf(server);
      const page = await (await fetch(`${url}/dashboard`)).text();
      assert.match(page, /<h1>Sign in<\/h1>/);
      const assets = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(async ([, asset]) => {
        const answer = await fetch(url + asset);
        assert.equal(answer.status, 200, String(asset));
        return answer.text();
      });
      const texts = (await Promise.all(assets)).join('\n');
      // The style sheets and the script are part of the bundle, whole.
      for (const name of ['style/base.css', 'style/media.css', 'script.js']) {
        const source = readFileSync(path.join(root, 'src', 'output', 'site', 'assets', name), 'utf8');
        assert.ok(texts.includes(source.trim()), name);
      }
    } finally {
      server.kill('SIGKILL');
    }
  });

  test('has the types of the library and the licences of bundled packages', () => {
    assert.ok(existsSync(path.join(folder, 'types', 'index.d.ts')));
    const licences = readFileSync(path.join(folder, 'THIRD-PARTY.txt'), 'utf8');
    const names = 'commander zod ulid ink react react-dom react-reconciler csv-stringify tough-cookie';
    for (const name of [...names.split(' '), 'fastify', 'undici', 'nodemailer'])
      assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)\\n\\n\\S`, 'm'), name);
  });
});
