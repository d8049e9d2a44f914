import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fromSource } from '../support/from-source.js';

/** The seeds derive from the commit, so that a failure can be reproduced; the nightly run uses others. */
function seedOfCommit(): number {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  return Number.parseInt(stdout?.slice(0, 7) || '1', 16);
}

test('no history breaks a promise: those that once did, and half a minute of new ones', {
  skip: process.platform !== 'linux',
}, (t) => {
  const program = fileURLToPath(new URL('run.ts', import.meta.url));
  const args = [...fromSource, '--no-warnings', program, String(seedOfCommit()), '30s'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  t.diagnostic(stdout.trim());
});
