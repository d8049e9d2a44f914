import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { LogThread } from '../../lib/database/sqlite/log-thread.js';
import { walSync } from '../../lib/database/sqlite/wal-sync.js';
import { until } from '../service/jobs/harness.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Log {
  readonly log: number;
  readonly checkpointed: number;
}

test('a thread moves the log into the file before its writer would, and closes the file', async () => {
  const file = path.join(temporaryFolder(), 'log.db');
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE numbers (n INTEGER)');
  const disk = walSync(db);
  const insert = db.prepare('INSERT INTO numbers VALUES (zeroblob(4000))');
  const checkpoint = () => (db.pragma('wal_checkpoint(NOOP)') as [Log])[0];
  const thread = new LogThread(file);
  db.transaction(() => {
    for (let page = 0; page < 1100; page += 1) insert.run();
  })();
  disk.ready();
  assert.equal(checkpoint().checkpointed, 0, 'the writer moves less than it should');
  await until(() => checkpoint().checkpointed === checkpoint().log);
  await thread.close();
  insert.run();
  disk.close();
  db.close();
  // The last connection of a file takes its log away.
  assert.equal(existsSync(`${file}-wal`), false);
});

test('if the file cannot be opened, the thread ends silently', async () => {
  const thread = new LogThread(temporaryFolder());
  await thread.close();
});
