import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type WalSync, walSync } from '../../lib/ledger/wal-sync.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A log whose disk takes as long for each sync as it is told. */
function logOn(disk: { ms: number }): WalSync & { write(): void } {
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
    sync: log.sync,
    write: () => db.exec('INSERT INTO numbers VALUES (1)'),
    close() {
      log.close();
      db.close();
    },
  };
}

/** True when the sync left the event loop to others. */
async function goesAside({ sync, write }: ReturnType<typeof logOn>): Promise<boolean> {
  write();
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  await sync();
  return turned;
}

describe('bringing the log to the disk', () => {
  test('a fast disk is waited for', async () => {
    const log = logOn({ ms: 0.2 });
    for (let sync = 0; sync < 20; sync += 1) assert.equal(await goesAside(log), false);
    log.close();
  });

  test('a slow one stops the event loop a few times in a thousand', async () => {
    const log = logOn({ ms: 30 });
    let stopped = 0;
    for (let sync = 0; sync < 2000; sync += 1) if (!(await goesAside(log))) stopped += 1;
    assert.ok(stopped >= 2 && stopped <= 6, String(stopped));
    log.close();
  });

  test('one slow sync of a fast disk changes nothing, and a disk that is fast again is waited for again', async () => {
    const disk = { ms: 0.1 };
    const log = logOn(disk);
    await goesAside(log);
    disk.ms = 500;
    assert.equal(await goesAside(log), false);
    disk.ms = 0.1;
    assert.equal(await goesAside(log), false);
    disk.ms = 30;
    while (!(await goesAside(log)));
    disk.ms = 0.1;
    let syncs = 0;
    while (await goesAside(log)) syncs += 1;
    assert.ok(syncs >= 990 && syncs < 1000, String(syncs));
    assert.equal(await goesAside(log), false);
    log.close();
  });
});
