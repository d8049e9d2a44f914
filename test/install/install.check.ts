/**
 * What a user meets who installs the package: `npm run test:install`. It packs the built package, and has npm 12
 * install it into an empty project. Install scripts are off and no compiler is on PATH. Then it uses every face of it.
 * It asks the package registry, and so is no part of `npm test`.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { answerOf } from '../faces/mcp/call-tool.js';
import { argv } from '../support/argv.js';
import { packPackage } from '../support/pack-package.js';
import { platformHost } from '../support/platform-host.js';
import { addressOf } from '../support/program-output.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const root = packageRoot();
const npmMajor = 12;
const maxPackages = 12;
const maxMegabytes = 60;
const maxSeconds = 10;
/** With the samples of `extract server deploy`, of which there are a dozen, and thirty-two guides. */
const maxFiles = 180;

const folder = temporaryFolder();
const project = path.join(folder, 'project');
const installed = path.join(project, 'node_modules', 'public-extract');
const command = path.join(installed, 'bin', 'extract.js');

/** A folder with the programs of PATH and this Node.js, but none that compiles. */
async function toolsWithoutCompilers(): Promise<string> {
  const tools = path.join(folder, 'tools');
  mkdirSync(tools);
  await run('bash', [path.join(root, 'scripts', 'tools-without-compilers.sh'), tools]);
  rmSync(path.join(tools, 'node'), { force: true });
  symlinkSync(process.execPath, path.join(tools, 'node'));
  return tools;
}

const env: NodeJS.ProcessEnv = {
  ...process.env,
  EXTRACT_HOME: path.join(folder, 'home'),
  EXTRACT_PACE_MS: '0',
  npm_config_cache: path.join(folder, 'npm-cache'),
};

const node = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, args, { cwd: project, env: { ...env, ...more } });
const extract = (args: readonly string[], more?: NodeJS.ProcessEnv) => node([command, ...args], more);
const write = (name: string, text: string) => writeFileSync(path.join(project, name), text);

function filesBelow(place: string): readonly string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe(`the package installed by npm ${npmMajor} under Node.js ${process.versions.node}`, () => {
  let seconds = Number.NaN;

  before(async () => {
    env.PATH = await toolsWithoutCompilers();
    const tarball = await packPackage(folder);
    const npm = path.join(folder, 'npm');
    await run('npm', argv`install --prefix ${npm} npm@${npmMajor}`, { env });
    const program = path.join(npm, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    // The second time the registry’s answers are at hand.
    for (const _ of ['first', 'second']) {
      rmSync(project, { recursive: true, force: true });
      mkdirSync(project);
      write('package.json', '{"type":"module"}');
      const began = performance.now();
      await node(argv`${program} install ${tarball} --ignore-scripts --no-audit --no-fund`);
      seconds = (performance.now() - began) / 1000;
    }
  });

  test('is small and quick', (t) => {
    const lock = JSON.parse(readFileSync(path.join(project, 'package-lock.json'), 'utf8'));
    const packages = Object.keys(lock.packages).filter((name) => name !== '');
    const files = filesBelow(installed);
    const sizes = filesBelow(path.join(project, 'node_modules')).map((file) => statSync(file).size);
    const megabytes = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1e6;
    const size = `${packages.length} packages, ${megabytes.toFixed(1)} MB, ${seconds.toFixed(1)} s`;
    t.diagnostic(`${size}, ${files.length} files of ours`);
    assert.ok(packages.length <= maxPackages, packages.join(' '));
    assert.ok(megabytes <= maxMegabytes, `${megabytes} MB`);
    assert.ok(seconds <= maxSeconds, `${seconds} s`);
    assert.ok(files.length <= maxFiles, `${files.length} files`);
    assert.ok(!packages.some((name) => name.endsWith('/sqlite3')));
  });

  test('answers a demo', async () => {
    const { stdout, stderr } = await extract(argv`shortvideo profile mira.kettle --demo --json`);
    assert.equal(stderr, '');
    assert.equal(JSON.parse(stdout).data.username, 'mira.kettle');
  });

  test('answers the second of two equal calls from the cache of another process', async (t) => {
    const host = await platformHost(t, folder, 'shortvideo/profile');
    for (const isCached of [false, true]) {
      const ran = await extract(argv`shortvideo profile mira.kettle --json`, host.env);
      assert.deepEqual([JSON.parse(ran.stdout).meta.cached, ran.stderr], [isCached, '']);
    }
    assert.equal(host.requests(), 1);
  });

  test('runs a batch', async () => {
    write('names.txt', 'mira.kettle\n');
    const { stdout } = await extract(argv`batch shortvideo/profile names.txt --demo`);
    assert.equal(JSON.parse(stdout).data.username, 'mira.kettle');
  });

  test('serves the API, the dashboard and the tools', async () => {
    const server = spawn(process.execPath, [command, 'serve', '--port', '0'], {
      cwd: project,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const url = await addressOf(server);
      const demo = await fetch(`${url}/v1/shortvideo/profile?username=mira.kettle&demo=true`);
      assert.equal(demo.status, 200);
      const page = await (await fetch(`${url}/dashboard`)).text();
      const assets = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address);
      assert.ok(assets.length > 1);
      for (const address of assets) assert.equal((await fetch(url + address)).status, 200);
      assert.equal((await fetch(`${url}/openapi.json`)).status, 200);
    } finally {
      server.kill('SIGTERM');
    }
  });

  test('answers a tool call', async () => {
    const client = new Client({ name: 'install', version: '1' });
    const args = argv`${command} mcp --account demo`;
    const program = { command: process.execPath, args, env: env as Record<string, string> };
    await client.connect(new StdioClientTransport(program));
    const { data } = await answerOf(client, 'get_shortvideo_profile', { username: 'mira.kettle' });
    await client.close();
    assert.equal((data as { username: string }).username, 'mira.kettle');
  });

  test('gives a demo inside a program that webpack bundled, and the client inside a page', async () => {
    const bundler = path.join(folder, 'bundler');
    await run('npm', argv`install --prefix ${bundler} webpack@5 webpack-cli@7 --ignore-scripts`, { env });
    write(
      'program.js',
      `import { getShortvideoProfile } from 'public-extract';
       const { data } = await getShortvideoProfile({ username: 'mira.kettle', demo: true });
       console.log(data.username);`,
    );
    write(
      'page.js',
      `import { createClient } from 'public-extract/client';
       const client = createClient({ baseUrl: 'http://localhost:1/v1', apiKey: 'none' });
       console.log(typeof client.getShortvideoProfile);`,
    );
    // The line of docs/library.md, and none for the client.
    const guide = readFileSync(path.join(root, 'docs/library.md'), 'utf8');
    const [, externals = ''] = /^\| webpack \| `(externals: .*)` \|$/m.exec(guide) ?? [];
    const output = `experiments: { outputModule: true }, output: { path: import.meta.dirname + '/packed',
      filename: '[name].js', module: true, chunkFormat: 'module' }, mode: 'production'`;
    write(
      'webpack.config.js',
      `export default [
        { ${output}, target: 'node22', entry: { program: './program.js' }, ${externals} },
        { ${output}, target: 'web', entry: { page: './page.js' } },
      ];`,
    );
    await node([path.join(bundler, 'node_modules', 'webpack-cli', 'bin', 'cli.js')]);
    assert.equal((await node(['packed/program.js'])).stdout, 'mira.kettle\n');
    assert.equal((await node(['packed/page.js'])).stdout, 'function\n');
  });

  test('names the package that payments need, and how to install it', async () => {
    const started = await extract(argv`serve --port 0`, {
      EXTRACT_STRIPE_KEY: 'sk_test_1',
      EXTRACT_STRIPE_WEBHOOK_SECRET: 'whsec_1',
      EXTRACT_PACK_PRICES: '50000=49.00,250000=199.00,1000000=599.00,5000000=1999.00',
    }).catch((error: { code: number; stderr: string }) => error);
    assert.match(started.stderr, /npm install stripe/);
  });
});
