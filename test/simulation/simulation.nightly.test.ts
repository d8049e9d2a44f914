import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fromSource } from '../support/from-source.js';

test('no history of five hundred new seeds breaks a promise', (t) => {
  const seed = Math.floor(Math.random() * 1e9);
  t.diagnostic(`seed ${seed}`);
  const program = fileURLToPath(new URL('run.ts', import.meta.url));
  const args = [...fromSource, '--no-warnings', program, String(seed), '500'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
});
