import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../lib/runtime/package-root.js';
import { fromSource } from './support/from-source.js';
import { temporaryFolder } from './support/temporary-folder.js';

const folder = temporaryFolder();
const program = path.join(packageRoot(), 'bin', 'extract.js');
const installed = path.dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));

type Fault = 'absent' | 'no-binary' | 'unfit';

/** A hook that makes a process find another copy of the module, or none. The real loader then fails. */
function hookFor(fault: Fault): string {
  const copy = path.join(folder, fault, 'better-sqlite3');
  mkdirSync(copy, { recursive: true });
  if (fault !== 'absent') {
    cpSync(path.join(installed, 'lib'), path.join(copy, 'lib'), { recursive: true });
    cpSync(path.join(installed, 'package.json'), path.join(copy, 'package.json'));
  }
  if (fault === 'unfit') {
    mkdirSync(path.join(copy, 'build', 'Release'), { recursive: true });
    writeFileSync(path.join(copy, 'build', 'Release', 'better_sqlite3.node'), 'for another machine');
  }
  const target = pathToFileURL(path.join(copy, 'lib', 'index.js')).href;
  const resolved =
    fault === 'absent'
      ? `next(name, { ...context, parentURL: '${pathToFileURL(`${folder}/`).href}' })`
      : `next('${target}', context)`;
  const hook = path.join(folder, `${fault}.mjs`);
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (name, context, next) => (name === 'better-sqlite3' ? ${resolved} : next(name, context)),
    });`,
  );
  return pathToFileURL(hook).href;
}

const hooks = new Map<Fault, string>();
before(() => {
  for (const fault of ['absent', 'no-binary', 'unfit'] as const) hooks.set(fault, hookFor(fault));
});

function start(fault: Fault, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, ['--import', hooks.get(fault) ?? '', ...args], {
    cwd: packageRoot(),
    env: { ...process.env, EXTRACT_HOME: mkdtempSync(path.join(folder, 'home-')), EXTRACT_PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

async function ended(child: ChildProcess, input = '') {
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
  });
  child.stdin?.end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...texts };
}

const run = (fault: Fault, args: readonly string[], input?: string) =>
  ended(start(fault, [program, ...args]), input);

const here = `Node\\.js ${process.version} on ${process.platform} ${process.arch}`;

/** All that stderr holds is one error, whose message says what is wrong and what to do. */
function assertNamed(err: string, problem: string): void {
  const lines = err.trimEnd().split('\n');
  assert.equal(lines.length, 1, err);
  const { error } = JSON.parse(lines[0] ?? '');
  assert.equal(error.code, 'internal_error');
  assert.match(error.message, new RegExp(`better-sqlite3 ${problem} for ${here}\\. Install .* again`));
  assert.match(error.message, /Linux .*, macOS and Windows/);
}

describe('a native module that cannot be loaded', { concurrency: 2 }, () => {
  for (const [fault, problem] of [
    ['absent', 'is not installed'],
    ['no-binary', 'has no binary'],
    ['unfit', 'is there, but its binary does not fit'],
  ] as const) {
    test(`is named by a command: ${fault}`, async () => {
      const { status, out, err } = await run(fault, ['shortvideo', 'profile', 'someone']);
      assert.deepEqual([status, out], [1, '']);
      assertNamed(err, problem);
    });
  }

  test('does not keep a sample from being shown', async () => {
    const { status, err } = await run('no-binary', ['shortvideo', 'profile', 'someone', '--demo']);
    assert.deepEqual([status, err], [0, '']);
  });

  test('is named by the server before it listens', async () => {
    const { status, out, err } = await run('unfit', ['serve']);
    assert.deepEqual([status, out], [1, '']);
    assertNamed(err, 'is there, but its binary does not fit');
  });

  test('is reported by the tools, which keep running', async () => {
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'search_places', arguments: { query: 'bakery' } } },
      { id: 3, method: 'tools/list' },
    ];
    const input = messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
    const { status, out, err } = await run('unfit', ['mcp', '--account', 'local'], input);
    assert.equal(status, 0);
    assert.doesNotMatch(err, /^\s+at /m);
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.match(JSON.stringify(answers.find(({ id }) => id === 2)), /better-sqlite3 is there, but/);
    assert.ok(answers.find(({ id }) => id === 3).result.tools.length > 0);
  });

  test('is named by the library, whose promise rejects', async () => {
    const script = `
      import { getShortvideoProfile } from './lib/index.ts';
      await getShortvideoProfile({ username: 'someone' }).catch(({ code, message }) => console.log(code, message));`;
    const child = start('absent', [...fromSource, '--input-type=module', '--eval', script]);
    const { status, out, err } = await ended(child);
    assert.deepEqual([status, err], [0, '']);
    assert.match(
      out,
      new RegExp(`^internal_error The SQLite module better-sqlite3 is not installed for ${here}`),
    );
  });
});
