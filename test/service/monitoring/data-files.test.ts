import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { dataFiles } from '../../../src/service/monitoring/data-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('the data directory is measured completely, folders with their content, largest first', async () => {
  const home = temporaryFolder();
  mkdirSync(path.join(home, 'jobs/job_1'), { recursive: true });
  mkdirSync(path.join(home, 'mails'));
  writeFileSync(path.join(home, 'ledger.db'), Buffer.alloc(300));
  writeFileSync(path.join(home, 'jobs/lock'), '');
  writeFileSync(path.join(home, 'jobs/job_1/results'), Buffer.alloc(500));
  assert.deepEqual(await dataFiles(home), [
    { name: 'jobs/', bytes: 500, files: 2 },
    { name: 'ledger.db', bytes: 300, files: 1 },
    { name: 'mails/', bytes: 0, files: 0 },
  ]);
  await assert.rejects(dataFiles(path.join(home, 'nowhere')), { code: 'ENOENT' });
});
