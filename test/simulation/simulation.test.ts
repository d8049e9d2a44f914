import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fromSource } from '../support/from-source.js';

/** Seeds of a run: their histories are the same each time. */
const [first, count] = [1, 25];

test('no history of these seeds breaks a promise', { skip: process.platform !== 'linux' }, () => {
  const program = fileURLToPath(new URL('run.ts', import.meta.url));
  const args = [...fromSource, '--no-warnings', program, String(first), String(count)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
});
