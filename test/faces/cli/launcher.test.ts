import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { argv } from '../../support/argv.js';
import { assertExit } from '../../support/assert-exit.js';
import { outputOf } from '../../support/program-output.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = packageRoot();

/** Copies the launcher, with a fake Node.js that runs `script`, if there is one. */
function launcher(script?: string): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'bin'));
  const program = path.join(folder, 'bin', 'extract.js');
  copyFileSync(path.join(root, 'bin', 'extract.js'), program);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  if (script !== undefined) {
    const own = path.join(folder, 'node_modules', 'node', 'bin');
    mkdirSync(own, { recursive: true });
    writeFileSync(path.join(own, 'node'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return program;
}

/** Makes this Node.js take itself for an older one. */
const asOlder = (version: string) =>
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;

function start(program: string, version: string, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', asOlder(version), program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, ended: outputOf(child) };
}

describe('the launcher under an older Node.js', () => {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const floor: string = engines.node.replace('>=', '');

  test('runs the program of its checkout, with its arguments and exit status', async () => {
    const program = launcher('echo "$@"; exit 7');
    const ran = assertExit(await start(program, '20.20.2', 'shortvideo', 'profile', 'a b').ended, 7);
    assert.equal(ran.err, '');
    assert.match(ran.out, /\/bin\/extract\.js shortvideo profile a b\n$/);
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test(`passes ${signal} on and ends as the other one does`, async () => {
      const trapped = launcher(`trap 'exit 9' ${signal.slice(3)}; echo up; while :; do sleep 0.05; done`);
      const { child, ended } = start(trapped, '20.20.2');
      await once(child.stdout, 'data');
      child.kill(signal);
      assert.equal((await ended).status, 9);
    });
  }

  for (const version of ['20.20.2', '22.18.0']) {
    test(`names the required version and how to get it (${version})`, async () => {
      const ran = await start(launcher(), version, '--version').ended;
      const { out, err } = assertExit(ran, 1, /nodejs\.org/, /npm ci/);
      assert.equal(out, '');
      assert.ok(err.startsWith(`extract needs Node.js ${floor} or newer; this is ${version}.\n`), err);
    });
  }
});

test('the launcher of a checkout runs the sources from any folder, drawing included', async () => {
  const folder = temporaryFolder();
  const call = argv`${path.join(root, 'bin', 'extract.js')} tiktok profile mira.kettle --demo --format table`;
  const env = { ...process.env, EXTRACT_HOME: folder };
  const child = spawn(process.execPath, call, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  assert.match(assertExit(await outputOf(child), 0).out, /^username +mira\.kettle$/m);
});
