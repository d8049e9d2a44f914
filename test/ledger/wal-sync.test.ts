import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { walSync } from '../../lib/ledger/wal-sync.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A log whose disk takes as long for each sync as it is told. */
function logOn(disk: { ms: number }) {
  const db = new Sqlite(path.join(temporaryFolder(), 'log.db'));
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE numbers (n INTEGER)');
  let now = 0;
  let reads = 0;
  const log = walSync(db, () => {
    reads += 1;
    if (reads % 2 === 0) now += disk.ms;
    return now;
  });
  return {
    /** Writes, syncs, and tells whether that was left to another thread: what is waited for is timed. */
    async goesAside(): Promise<boolean> {
      db.exec('INSERT INTO numbers VALUES (1)');
      const before = reads;
      await log.sync();
      return reads === before;
    },
    close() {
      log.close();
      db.close();
    },
  };
}

describe('bringing the log to the disk', () => {
  test('a fast disk is waited for', async () => {
    const log = logOn({ ms: 0.2 });
    for (let sync = 0; sync < 20; sync += 1) assert.equal(await log.goesAside(), false);
    log.close();
  });

  test('a slow one stops the event loop a few times in a thousand', async () => {
    const log = logOn({ ms: 30 });
    let stopped = 0;
    for (let sync = 0; sync < 2000; sync += 1) if (!(await log.goesAside())) stopped += 1;
    assert.equal(stopped, 6);
    log.close();
  });

  test('one slow sync of a fast disk changes nothing, and a disk that is fast again is waited for again', async () => {
    const disk = { ms: 0.1 };
    const log = logOn(disk);
    await log.goesAside();
    disk.ms = 500;
    assert.equal(await log.goesAside(), false);
    disk.ms = 0.1;
    assert.equal(await log.goesAside(), false);
    disk.ms = 30;
    while (!(await log.goesAside()));
    disk.ms = 0.1;
    let syncs = 0;
    while (await log.goesAside()) syncs += 1;
    assert.equal(syncs, 999);
    assert.equal(await log.goesAside(), false);
    log.close();
  });
});
