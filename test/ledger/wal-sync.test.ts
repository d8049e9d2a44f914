import assert from 'node:assert/strict';
import { copyFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { walSync } from '../../lib/database/sqlite/wal-sync.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A log on a disk whose syncs end when the test says so, or fail. */
function logOn(state: { fault?: Error | undefined; waits?: boolean } = {}) {
  const file = path.join(temporaryFolder(), 'log.db');
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE numbers (n INTEGER)');
  const underWay: (() => void)[] = [];
  let syncs = 0;
  const log = walSync(db, async () => {
    syncs += 1;
    if (state.waits) await new Promise<void>((end) => underWay.push(end));
    if (state.fault !== undefined) throw state.fault;
  });
  return {
    db,
    file,
    log,
    underWay,
    syncs: () => syncs,
    /** Writes and syncs, as a group of commits does. */
    async write(): Promise<void> {
      log.ready();
      db.exec('INSERT INTO numbers VALUES (1)');
      await log.sync();
    },
    close() {
      log.close();
      db.close();
    },
  };
}

const eio = () => Object.assign(new Error('input/output error'), { code: 'EIO' });

describe('bringing the log to the disk', () => {
  test('whoever asks while a sync is under way gets the next one, which all of them share', async () => {
    const { log, underWay, syncs, close } = logOn({ waits: true });
    const told: string[] = [];
    const ask = (name: string) => log.sync().then(() => told.push(name));
    const all = [ask('first')];
    await turn();
    all.push(ask('second'), ask('third'));
    await turn();
    assert.equal(syncs(), 1);
    underWay[0]?.();
    await turn();
    assert.deepEqual([told, syncs()], [['first'], 2]);
    underWay[1]?.();
    await Promise.all(all);
    assert.deepEqual([told, syncs()], [['first', 'second', 'third'], 2]);
    close();
  });

  test('the log is moved into the file when it is long, before a transaction begins', async () => {
    const { db, file, log, close } = logOn();
    const insert = db.prepare('INSERT INTO numbers VALUES (zeroblob(4000))');
    const grow = db.transaction((pages: number) => {
      for (let page = 0; page < pages; page += 1) insert.run();
    });
    let longest = 0;
    for (let round = 0; round < 30; round += 1) {
      log.ready();
      const before = statSync(file).size;
      grow(500);
      await log.sync();
      assert.equal(statSync(file).size, before, 'moved by those who wait');
      const { size } = statSync(`${file}-wal`);
      assert.ok(size >= longest, 'a log that was cut grows again');
      longest = size;
    }
    assert.ok(longest < 3000 * 4096, `the log took ${longest} bytes`);
    close();
  });

  test('after a sync that failed, nothing is told to be on the disk before all of the log is in the file', async () => {
    const disk: Parameters<typeof logOn>[0] = {};
    const { db, file, log, write, close } = logOn(disk);
    await write();
    disk.fault = eio();
    await assert.rejects(write(), { code: 'EIO' });
    disk.fault = undefined;
    // A transaction that was made meanwhile lies behind the gap.
    db.exec('INSERT INTO numbers VALUES (1)');
    await assert.rejects(log.sync(), { code: 'EIO' });
    log.ready();
    assert.equal(statSync(`${file}-wal`).size, 0);
    // What is in the file is there without its log.
    const copy = `${file}.copy`;
    copyFileSync(file, copy);
    const without = new Sqlite(copy);
    assert.equal(without.prepare('SELECT count(*) FROM numbers').pluck().get(), 3);
    without.close();
    await write();
    close();
  });

  test('those who wait for the sync after one that failed are refused, too', async () => {
    const disk: Parameters<typeof logOn>[0] = { waits: true, fault: eio() };
    const { log, underWay, syncs, close } = logOn(disk);
    const first = log.sync();
    await turn();
    const second = log.sync();
    underWay[0]?.();
    await assert.rejects(first, { code: 'EIO' });
    await assert.rejects(second, { code: 'EIO' });
    assert.equal(syncs(), 1);
    close();
  });

  test('as long as the log cannot be moved, no transaction begins', async () => {
    const disk: Parameters<typeof logOn>[0] = { fault: eio() };
    const { db, file, log, write, close } = logOn(disk);
    await assert.rejects(write(), { code: 'EIO' });
    disk.fault = undefined;
    const reader = new Sqlite(file);
    reader.exec('BEGIN; SELECT * FROM numbers');
    db.pragma('busy_timeout = 0');
    assert.throws(() => log.ready(), { code: 'EIO', message: /in use/ });
    reader.close();
    log.ready();
    await write();
    close();
  });
});
