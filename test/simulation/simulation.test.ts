import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fromSource } from '../support/from-source.js';

test('no history breaks a promise: those that once did, and half a minute of new ones', {
  skip: process.platform !== 'linux',
}, (t) => {
  const seed = Math.floor(Math.random() * 1e9);
  const program = fileURLToPath(new URL('run.ts', import.meta.url));
  const args = [...fromSource, '--no-warnings', program, String(seed), '30s'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  t.diagnostic(stdout.trim());
});
