import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { restrictToOwner } from '../../src/compose/file-permissions.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('only the owner can access the files of a data directory, and no other permissions change', async () => {
  const home = temporaryFolder();
  for (const folder of ['jobs', 'watch', 'mails']) mkdirSync(path.join(home, folder));
  const modeOf = (name: string) => statSync(path.join(home, name)).mode & 0o777;
  const write = (name: string, mode: number) => {
    writeFileSync(path.join(home, name), '');
    chmodSync(path.join(home, name), mode);
  };
  const files = [
    'ledger.db',
    'ledger.db-wal',
    'results.db',
    'cursor.key',
    'jobs/job_1.csv',
    'jobs/job_1.wacz',
    'watch/1.lock',
    'mails/1.eml',
    'address',
  ];
  for (const name of files) write(name, 0o644);
  write('mine.ndjson', 0o644);
  await restrictToOwner(home);
  for (const name of files) assert.equal(modeOf(name), 0o600, name);
  assert.equal(modeOf('mine.ndjson'), 0o644);
  await restrictToOwner(path.join(home, 'missing'));
});
