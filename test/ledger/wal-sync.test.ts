import assert from 'node:assert/strict';
import { copyFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { walSync } from '../../lib/database/sqlite/wal-sync.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type SyncThread = 'here' | 'pool';

interface State {
  /** Milliseconds that a sync takes. Slow syncs go to the thread pool. */
  ms?: number;
  fault?: Error | undefined;
  /** True where syncs in the pool end when the test says so. */
  waits?: boolean;
}

/** A log on a disk that is as slow as the test says. It records which way each sync went. */
function logOn(state: State = {}) {
  const file = path.join(temporaryFolder(), 'log.db');
  const db = new Sqlite(file);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE numbers (n INTEGER)');
  const underWay: (() => void)[] = [];
  const ways: SyncThread[] = [];
  let now = 0;
  const take = (way: SyncThread) => {
    ways.push(way);
    now += state.ms ?? 0.1;
  };
  const log = walSync(db, {
    sync() {
      take('here');
      if (state.fault !== undefined) throw state.fault;
    },
    async syncAside() {
      take('pool');
      if (state.waits) await new Promise<void>((end) => underWay.push(end));
      if (state.fault !== undefined) throw state.fault;
    },
    now: () => now,
  });
  const one = async (): Promise<SyncThread | undefined> => {
    log.ready();
    db.exec('INSERT INTO numbers VALUES (1)');
    await log.sync();
    return ways.at(-1);
  };
  return {
    ...{ db, file, log, underWay, ways },
    /** Writes and syncs, as a group of commits does, so often. Tells which ways that went. */
    async write(times = 1): Promise<readonly (SyncThread | undefined)[]> {
      const threads: (SyncThread | undefined)[] = [];
      for (let time = 0; time < times; time += 1) threads.push(await one());
      return threads;
    },
    close() {
      log.close();
      db.close();
    },
  };
}

/** The same on a disk that was slow for long: syncs go to the pool. */
async function slowLog(state: State) {
  const { ms, waits, fault } = state;
  Object.assign(state, { ms: 30, waits: false, fault: undefined });
  const file = logOn(state);
  await file.write(60);
  Object.assign(state, { ms, waits, fault });
  file.ways.length = 0;
  return file;
}

const eio = () => Object.assign(new Error('input/output error'), { code: 'EIO' });

describe('bringing the log to the disk', () => {
  const count = (ways: readonly (SyncThread | undefined)[], way: SyncThread) =>
    ways.filter((one) => one === way).length;

  for (const [words, ms, isHere] of [
    ['fast is waited for', 0.2, 1000],
    ['slow holds the event loop for some syncs', 30, 16],
    ['a little slow holds it for more', 1, 46],
  ] as const) {
    test(`a disk that is ${words}`, async () => {
      const { write, close } = logOn({ ms });
      assert.equal(count(await write(1000), 'here'), isHere);
      close();
    });
  }

  test('callers during a sync share the next one', async () => {
    const { log, underWay, ways, close } = await slowLog({ ms: 30, waits: true });
    const names: string[] = [];
    const ask = (name: string) => log.sync().then(() => names.push(name));
    const all = [ask('first')];
    await turn();
    all.push(ask('second'), ask('third'));
    await turn();
    assert.equal(ways.length, 1);
    underWay[0]?.();
    await turn();
    assert.deepEqual([names, ways.length], [['first'], 2]);
    underWay[1]?.();
    await Promise.all(all);
    assert.deepEqual([names, ways.length], [['first', 'second', 'third'], 2]);
    close();
  });

  test('the log is moved into the file when it is long, before a transaction begins', async () => {
    const { db, file, log, close } = logOn();
    const insert = db.prepare('INSERT INTO numbers VALUES (zeroblob(4000))');
    const grow = db.transaction((pages: number) => {
      for (let page = 0; page < pages; page += 1) insert.run();
    });
    let longest = 0;
    for (let round = 0; round < 60; round += 1) {
      log.ready();
      const before = statSync(file).size;
      grow(500);
      await log.sync();
      assert.equal(statSync(file).size, before, 'moved by those who wait');
      const { size } = statSync(`${file}-wal`);
      assert.ok(size >= longest, 'a log that was cut grows again');
      longest = size;
    }
    assert.ok(longest < 9000 * 4096, `the log took ${longest} bytes`);
    close();
  });

  for (const way of ['here', 'pool'] as const) {
    test(`after a failed sync (${way}), nothing is reported as on the disk before all of the log is in the file`, async () => {
      const disk: State = { ms: way === 'here' ? 0.1 : 30 };
      const { db, file, log, write, close } = await (way === 'here' ? logOn(disk) : slowLog(disk));
      assert.deepEqual(await write(), [way]);
      const before = db.prepare('SELECT count(*) FROM numbers').pluck().get();
      disk.fault = eio();
      await assert.rejects(write(), { code: 'EIO' });
      disk.fault = undefined;
      // A transaction made meanwhile is after the gap.
      db.exec('INSERT INTO numbers VALUES (1)');
      await assert.rejects(log.sync(), { code: 'EIO' });
      log.ready();
      assert.equal(statSync(`${file}-wal`).size, 0);
      // What is in the file is there without its log.
      const copy = `${file}.copy`;
      copyFileSync(file, copy);
      const without = new Sqlite(copy);
      assert.equal(without.prepare('SELECT count(*) FROM numbers').pluck().get(), Number(before) + 2);
      without.close();
      await write();
      close();
    });
  }

  test('a failed sync also refuses callers that wait for the next one', async () => {
    const { log, underWay, ways, close } = await slowLog({ ms: 30, waits: true, fault: eio() });
    const first = log.sync();
    await turn();
    const second = log.sync();
    underWay[0]?.();
    await assert.rejects(first, { code: 'EIO' });
    await assert.rejects(second, { code: 'EIO' });
    assert.equal(ways.length, 1);
    close();
  });

  test('as long as the log cannot be moved, no transaction begins', async () => {
    const disk: State = { fault: eio() };
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
