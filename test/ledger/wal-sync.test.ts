import assert from 'node:assert/strict';
import { copyFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type Disk, walSync } from '../../lib/database/sqlite/wal-sync.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Way = 'here' | 'pool';

/** A log on a disk whose syncs take as long as the test sets, or fail. It records which way each sync went. */
function logOn(state: { ms: number; fault?: Error | undefined }) {
  const file = path.join(temporaryFolder(), 'log.db');
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE numbers (n INTEGER)');
  let now = 0;
  let ways: Way[] = [];
  const go = (way: Way) => {
    ways.push(way);
    if (state.fault !== undefined) throw state.fault;
    if (way !== 'pool') now += state.ms;
  };
  const disk: Disk = {
    sync: () => go('here'),
    syncAside: async () => go('pool'),
    now: () => now,
  };
  const log = walSync(db, disk);
  return {
    db,
    file,
    /** Writes, syncs and tells which way that went. */
    async sync(): Promise<Way | undefined> {
      db.exec('INSERT INTO numbers VALUES (1)');
      ways = [];
      await log.sync();
      return ways[0];
    },
    async close() {
      log.close();
      db.close();
    },
  };
}

const eio = () => Object.assign(new Error('input/output error'), { code: 'EIO' });

describe('bringing the log to the disk', () => {
  test('a fast disk is waited for', async () => {
    const log = logOn({ ms: 0.2 });
    for (let sync = 0; sync < 20; sync += 1) assert.equal(await log.sync(), 'here');
    await log.close();
  });

  for (const [words, ms, times] of [
    ['slow holds the event loop once', 30, 1],
    ['a little slow holds it a few times', 1, 23],
  ] as const) {
    test(`a disk that is ${words} in five thousand syncs`, async () => {
      const log = logOn({ ms });
      let held = 0;
      for (let sync = 0; sync < 5000; sync += 1) if ((await log.sync()) === 'here') held += 1;
      assert.equal(held, times);
      await log.close();
    });
  }

  test('one long sync of a fast disk is the last here for a while, and then the disk is waited for again', async () => {
    const disk = { ms: 0.1 };
    const log = logOn(disk);
    for (const ms of [0.1, 3, 2, 0.1, 5]) {
      disk.ms = ms;
      assert.equal(await log.sync(), 'here');
    }
    disk.ms = 0.1;
    let syncs = 0;
    while ((await log.sync()) === 'pool') syncs += 1;
    assert.equal(syncs, 5000);
    assert.equal(await log.sync(), 'here');
    await log.close();
  });

  test('the log is moved into the file when it is long, not in the turn of the commit', async () => {
    const log = logOn({ ms: 0.1 });
    const insert = log.db.prepare('INSERT INTO numbers VALUES (zeroblob(4000))');
    const grow = log.db.transaction((pages: number) => {
      for (let page = 0; page < pages; page += 1) insert.run();
    });
    let longest = 0;
    for (let round = 0; round < 30; round += 1) {
      grow(500);
      const before = statSync(log.file).size;
      const synced = log.sync();
      assert.equal(statSync(log.file).size, before, 'moved at once');
      await synced;
      longest = Math.max(longest, statSync(`${log.file}-wal`).size);
    }
    assert.ok(longest < 3000 * 4096, `the log took ${longest} bytes`);
    await log.close();
  });

  for (const [how, ms] of [
    ['here', 0.1],
    ['in the pool', 30],
  ] as const) {
    test(`after a sync that failed ${how}, all of the log is moved into the file`, async () => {
      const disk: Parameters<typeof logOn>[0] = { ms };
      const log = logOn(disk);
      for (let sync = 0; sync < 60; sync += 1) await log.sync();
      disk.fault = eio();
      await assert.rejects(log.sync(), { code: 'EIO' });
      disk.fault = undefined;
      assert.equal(await log.sync(), undefined);
      assert.equal(statSync(`${log.file}-wal`).size, 0);
      // What is in the file is there without its log.
      const copy = `${log.file}.copy`;
      copyFileSync(log.file, copy);
      const without = new Sqlite(copy);
      assert.equal(without.prepare('SELECT count(*) FROM numbers').pluck().get(), 62);
      without.close();
      assert.notEqual(await log.sync(), undefined);
      await log.close();
    });
  }

  test('as long as the log cannot be moved nothing is told to be on the disk', async () => {
    const disk: Parameters<typeof logOn>[0] = { ms: 0.1, fault: eio() };
    const log = logOn(disk);
    await assert.rejects(log.sync(), { code: 'EIO' });
    disk.fault = undefined;
    const reader = new Sqlite(log.file);
    reader.exec('BEGIN; SELECT * FROM numbers');
    log.db.pragma('busy_timeout = 0');
    await assert.rejects(log.sync(), { code: 'EIO', message: /in use/ });
    reader.close();
    assert.equal(await log.sync(), undefined);
    assert.equal(await log.sync(), 'here');
    await log.close();
  });
});
