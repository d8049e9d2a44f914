import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { paceInFile } from '../../lib/web/sqlite/pace-file.js';
import { FakeClock } from '../support/fake-clock.js';
import { testSite } from '../support/site.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { reserve } from './reserve.js';
import { served } from './served.js';

const folder = temporaryFolder();
let homes = 0;
const newHome = () => {
  homes += 1;
  return path.join(folder, String(homes));
};

describe('the pace in an SQLite file', () => {
  for (const [how, damage] of [
    ['not SQLite', (file: string) => writeFileSync(file, 'not a database, by far '.repeat(400))],
    ['overwritten in its middle', (file: string) => writeFileSync(file, readFileSync(file).fill(0xab, 100))],
    ['cut off', (file: string) => truncateSync(file, 1000)],
    ['empty', (file: string) => truncateSync(file, 0)],
  ] as const) {
    test(`that is ${how} is replaced`, async () => {
      const [home, clock] = [newHome(), new FakeClock()];
      const before = paceInFile(home, clock);
      await reserve(before, 'maps', 1000);
      await before.close();
      damage(path.join(home, 'pace.db'));
      const store = paceInFile(home, clock);
      assert.equal(await reserve(store, 'maps', 1000), clock.now());
      assert.equal(await reserve(store, 'maps', 1000), clock.now() + 1000);
      assert.equal((await store.find('maps'))?.cooldown, null);
      await store.close();
    });
  }

  for (const [release, columns, values] of [
    ['0.1.0', '', ''],
    [
      'the time before one store served both databases',
      ", causes TEXT NOT NULL DEFAULT '[]', error_routes TEXT NOT NULL DEFAULT '[]'",
      `, '["A shell."]', '["a"]'`,
    ],
  ] as const) {
    test(`from ${release} is migrated`, async () => {
      const [home, clock] = [newHome(), new FakeClock()];
      mkdirSync(home);
      const db = new Sqlite(path.join(home, 'pace.db'));
      db.exec(`
        CREATE TABLE pace (
          platform TEXT PRIMARY KEY, next_at INTEGER NOT NULL DEFAULT 0, reserved_at INTEGER NOT NULL DEFAULT 0,
          code TEXT CHECK (code IN ('platform_blocked', 'platform_rate_limited')),
          refused_at INTEGER NOT NULL DEFAULT 0, rests_until INTEGER NOT NULL DEFAULT 0,
          refusals INTEGER NOT NULL DEFAULT 0 ${columns}
        ) STRICT, WITHOUT ROWID`);
      const [now, later] = [clock.now(), clock.now() + 60_000];
      db.exec(
        `INSERT INTO pace VALUES ('maps/page', ${now + 500}, ${now}, 'platform_blocked', ${now}, ${later}, 2 ${values})`,
      );
      db.close();
      const store = paceInFile(home, clock);
      const row = await store.find('maps/page');
      assert.deepEqual([row?.cooldown?.until, row?.cooldown?.refusals], [later, 2]);
      assert.deepEqual(row?.errorRoutes, columns === '' ? [] : ['a']);
      assert.equal(await reserve(store, 'maps/page', 1000), now + 500);
      assert.equal((await store.reserve('maps/page', { ms: 1000, perHour: 1 })).at, now + 1500);
      assert.deepEqual(await store.listDays(''), []);
      await store.close();
    });
  }

  test('that cannot be created is a storage fault, and is retried each time', async () => {
    const [home, clock] = [newHome(), new FakeClock()];
    writeFileSync(home, 'a file where a folder should be');
    const store = paceInFile(path.join(home, 'deeper'), clock);
    await assert.rejects(reserve(store, 'maps', 1000), { code: 'internal_error', message: /^The pace of / });
    const other = newHome();
    const late = paceInFile(path.join(other, 'deeper'), clock);
    writeFileSync(other, '');
    await assert.rejects(reserve(late, 'maps', 1000), { fault: 'unwritable' });
    rmSync(other);
    assert.equal(await reserve(late, 'maps', 1000), clock.now());
    await late.close();
  });

  test('that cannot be written is replaced by a local pace', async (t) => {
    const clock = new FakeClock();
    const home = newHome();
    writeFileSync(home, '');
    const paceStore = paceInFile(path.join(home, 'deeper'), clock);
    const site = { surfaces: { page: { ms: 1000, concurrency: 1 } } };
    const options = { clock, cooldownMs: 60_000, paceStore, site };
    const { session, fetch, source } = await served(t, undefined, options);
    await fetch();
    const began = clock.now();
    await clock.passing(fetch());
    assert.equal(clock.now() - began, 1000);
    session.end(new ExtractError('platform_blocked'));
    assert.throws(() => source.open(testSite(site)), { retryAfter: 60 });
  });
});
