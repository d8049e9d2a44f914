import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { writeAtomically } from '../../../src/faces/cli/write-atomically.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();

test('the second of two writers of a file is refused, and the file is complete', async () => {
  const file = path.join(folder, 'ranks.csv');
  async function* pieces() {
    yield 'first ';
    await assert.rejects(writeAtomically(file, ['other']), {
      code: 'invalid_parameter',
      message: /^Another process is writing ranks\.csv\./,
    });
    yield 'whole';
  }
  await writeAtomically(file, pieces());
  assert.equal(readFileSync(file, 'utf8'), 'first whole');
  await writeAtomically(file, ['later']);
  assert.equal(readFileSync(file, 'utf8'), 'later');
  assert.deepEqual(readdirSync(folder), ['ranks.csv']);
});
