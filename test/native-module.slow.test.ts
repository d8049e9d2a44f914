import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { packageRoot } from '../lib/runtime/package-root.js';
import { refusalOf } from './faces/mcp/call-tool.js';
import { fromSource } from './support/from-source.js';
import { outputOf, type ProgramOutput } from './support/program-output.js';
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

const run = (fault: Fault, args: readonly string[]) => outputOf(start(fault, [program, ...args]), '');

const here = `Node\\.js ${process.version} on ${process.platform} ${process.arch}`;

/** All that a program wrote is one error on stderr, whose message says what is wrong and what to do. */
function assertNamed({ status, out, err }: ProgramOutput, problem: string): void {
  assert.deepEqual([status, out], [1, '']);
  const { error } = JSON.parse(err);
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
      assertNamed(await run(fault, ['shortvideo', 'profile', 'someone']), problem);
    });
  }

  test('does not keep a sample from being shown', async () => {
    const { status, err } = await run('no-binary', ['shortvideo', 'profile', 'someone', '--demo']);
    assert.deepEqual([status, err], [0, '']);
  });

  test('is named by the server before it listens', async () => {
    assertNamed(await run('unfit', ['serve']), 'is there, but its binary does not fit');
  });

  test('is reported by the tools, which keep running', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const args = ['--import', hooks.get('unfit') ?? '', program, 'mcp', '--account', 'local'];
    const env = {
      ...(process.env as Record<string, string>),
      EXTRACT_HOME: mkdtempSync(path.join(folder, 'home-')),
    };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const { message } = await refusalOf(client, 'search_places', { query: 'bakery' });
    assert.match(message, /better-sqlite3 is there, but/);
    assert.ok((await client.listTools()).tools.length > 0);
    await client.close();
  });

  test('is named by the library, whose promise rejects', async () => {
    const script = `
      import { getShortvideoProfile } from './lib/index.ts';
      await getShortvideoProfile({ username: 'someone' }).catch(({ code, message }) => console.log(code, message));`;
    const child = start('absent', [...fromSource, '--input-type=module', '--eval', script]);
    const { status, out, err } = await outputOf(child, '');
    assert.deepEqual([status, err], [0, '']);
    const said = `^internal_error The SQLite module better-sqlite3 is not installed for ${here}`;
    assert.match(out, new RegExp(said));
  });
});
