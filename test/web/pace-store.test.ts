import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { postgresSchema } from '../../lib/database/postgres/table-schema.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { DatabasePaceStore } from '../../lib/web/database-pace-store.js';
import { paceSchema } from '../../lib/web/pace-schema.js';
import type { PaceStore } from '../../lib/web/pace-store.js';
import type { Attempt } from '../../lib/web/page-source.js';
import { paceInFile } from '../../lib/web/sqlite/pace-file.js';
import { Throttle, type ThrottledSession } from '../../lib/web/throttle.js';
import { FakeClock } from '../support/fake-clock.js';
import { openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { uncounted } from '../support/uncounted.js';
import { reserve } from './reserve.js';

const minute = 60_000;
const hour = 60 * minute;
/** Waits for the lock of a file are shorter. */
const lockMs = 100;
const never = new AbortController().signal;
const refused = { code: 'platform_blocked', retryAfter: undefined, firstMs: minute } as const;

const cooldownIn = async (store: PaceStore, platform: string) =>
  (await store.find(platform))?.cooldown ?? null;

/** Gives another handle on one state each time, as of another process. */
type Open = (clock: FakeClock) => Promise<PaceStore>;

const closes: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closes.reverse()) await close();
});

const inFile = async (): Promise<Open> => {
  const home = temporaryFolder();
  return async (clock) => paceInFile(home, clock);
};

const inPostgres = async (): Promise<Open> => {
  const { postgres, close } = await openTestDatabase([postgresSchema(paceSchema)]);
  closes.push(close);
  return async (clock) => new DatabasePaceStore(postgres, { clock, time: () => clock.now() });
};

for (const [where, make, skip] of [
  ['an SQLite file', inFile, false],
  ['PostgreSQL', inPostgres, skipWithoutPostgres],
] as const) {
  describe(`the pace in ${where}`, { skip }, () => paceStoreSuite(make));
}

/** The store, which counts its operations under way. */
const counted = (store: PaceStore, work: { busy: number }): PaceStore =>
  new Proxy(store, {
    get(_, name: keyof PaceStore) {
      const method = store[name];
      if (typeof method !== 'function') return method;
      return async (...values: unknown[]) => {
        work.busy += 1;
        try {
          return await Reflect.apply(method, store, values);
        } finally {
          work.busy -= 1;
        }
      };
    },
  });

function paceStoreSuite(make: () => Promise<Open>): void {
  const opened = async (handles = 1) => {
    const clock = new FakeClock();
    const open = await make();
    const stores: PaceStore[] = [];
    for (let at = 0; at < handles; at += 1) stores.push(await open(clock));
    const [store, other] = stores as [PaceStore, PaceStore];
    closes.push(() => Promise.all(stores.map((one) => one.close())));
    return { clock, began: clock.now(), store, other, stores };
  };

  test('moments are so many milliseconds apart, and the first is now', async () => {
    const { began, clock, store } = await opened();
    assert.equal(await reserve(store, 'maps', 1000), began);
    assert.equal(await reserve(store, 'maps', 1000), began + 1000);
    clock.set(began + 300);
    assert.equal(await reserve(store, 'maps', 1000), began + 2000);
    clock.set(began + 10_000);
    assert.equal(await reserve(store, 'maps', 1000), began + 10_000);
    assert.equal(
      await reserve(store, 'shortvideo', 1000),
      began + 10_000,
      'platforms have nothing in common',
    );
  });

  test('handles on one state share the moments: however they take turns, all are apart', async () => {
    const { clock, stores } = await opened(4);
    const moments: number[] = [];
    for (let round = 0; round < 50; round += 1) {
      const reserved = await Promise.all(
        stores.slice(0, 1 + (round % 4)).map((one) => reserve(one, 'maps', 1000)),
      );
      moments.push(...reserved);
      clock.set(clock.now() + ((round * 7919) % 3000));
    }
    moments.sort((a, b) => a - b);
    for (const [at, moment] of moments.slice(1).entries())
      assert.ok(moment - (moments[at] as number) >= 1000);
  });

  test('an unused moment moves to now if it was the last, otherwise behind the others', async () => {
    const { began, clock, store } = await opened();
    const mine = await reserve(store, 'maps', 1000);
    clock.set(began + 400);
    assert.equal(await reserve(store, 'maps', 1000, mine), began + 400);
    assert.equal(await reserve(store, 'maps', 1000), began + 1400);
    clock.set(began + 900);
    assert.equal(await reserve(store, 'maps', 1000, began + 400), began + 2400);
  });

  test('a moment further ahead than the longest cool-down is not believed', async () => {
    const { began, store } = await opened();
    await reserve(store, 'maps', 16 * minute);
    assert.equal(await reserve(store, 'maps', 1000), began);
  });

  test('a clock that is set back does not extend a wait beyond the pace', async () => {
    const { began, clock, store } = await opened();
    await reserve(store, 'maps', 1000);
    await reserve(store, 'maps', 1000);
    clock.set(began - 10 * minute);
    assert.equal(await reserve(store, 'maps', 1000), began - 10 * minute);
    assert.equal(await reserve(store, 'maps', 1000), began - 10 * minute + 1000);
  });

  test('an hour has a fixed number of starts over all processes; then nothing is reserved', async () => {
    const { began, clock, store, other } = await opened(2);
    const pace = { ms: 1000, perHour: 3 };
    for (const [at, one] of [store, other, store].entries()) {
      assert.deepEqual(await one.reserve('maps', pace), { at: began + at * 1000, isReserved: true });
    }
    const full = { at: began + hour, isReserved: false };
    assert.deepEqual(await other.reserve('maps', pace), full);
    assert.deepEqual(await other.reserve('maps', pace), full);
    assert.deepEqual(await other.reserve('shortvideo', pace), { at: began, isReserved: true });
    clock.set(began + hour);
    assert.deepEqual(await store.reserve('maps', pace), { at: began + hour, isReserved: true });
    assert.deepEqual(await other.reserve('maps', pace), { at: began + 1000 + hour, isReserved: false });
  });

  test('a clock that is set back by hours gives the hour back', async () => {
    const { began, clock, store } = await opened();
    const pace = { ms: 1000, perHour: 1 };
    await store.reserve('maps', pace);
    clock.set(began - 2 * hour);
    assert.deepEqual(await store.reserve('maps', pace), { at: began - 2 * hour, isReserved: true });
  });

  test('two throttles share the budget of an hour, and one that is stopped leaves it to the other', async () => {
    const { began, clock, stores } = await opened(2);
    const work = { busy: 0 };
    const surfaces = { page: { ms: 1000, concurrency: 1, perHour: 4 } };
    const [one, other] = stores.map((store) =>
      new Throttle(
        { platform: 'photosocial', surfaces },
        {
          ...{ clock, cooldownMs: 60_000, counter: uncounted, gap: () => surfaces.page },
          paceStore: counted(store, work),
        },
      ).open('plain'),
    ) as [ThrottledSession, ThrottledSession];
    const starts: number[] = [];
    const start = async () => void starts.push(clock.now() - began);
    const stop = new AbortController();
    let stopped = 0;
    const runs = [1, 2, 3, 4].flatMap(() => [
      one.run(start, never),
      other.run(start, stop.signal).catch(() => {
        stopped += 1;
      }),
    ]);
    const answered = async () => {
      do await setImmediate();
      while (work.busy > 0);
    };
    /** Lets so many seconds pass, each when the stores have answered. */
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        await clock.passing(answered(), lockMs);
        await clock.advance(1000);
      }
    };
    await pass(600);
    assert.equal(starts.length, 4, 'the hour is spent');
    stop.abort();
    await setImmediate();
    assert.ok(stopped > 0);
    await pass(3_600);
    await Promise.all(runs);
    assert.equal(starts.length, 8 - stopped);
    for (const [at, time] of starts.slice(4).entries()) assert.ok(time >= (starts[at] as number) + hour);
  });

  test('a surface that refused one throttle rests for the other, whose next request goes elsewhere', async () => {
    const { clock, stores } = await opened(2);
    const gap = { ms: 0, concurrency: 1 };
    const [one, other] = stores.map(
      (paceStore) =>
        new Throttle(
          { platform: 'photosocial', surfaces: { page: gap, embed: gap } },
          { clock, paceStore, cooldownMs: minute, counter: uncounted, gap: () => gap },
        ),
    ) as [Throttle, Throttle];
    const early = other.open('plain');
    const refusal = one.open('plain');
    refusal.report({ surface: 'page', outcome: 'platform_blocked', cause: 'A login page.' } as Attempt);
    refusal.end(undefined);
    await one.flush();
    await assert.rejects(
      early.run(async () => 'asked', never, 'page'),
      /A login page\. photosocial\/page refused/,
    );
    assert.equal(await early.run(async () => 'asked', never, 'embed'), 'asked');
    assert.deepEqual(await other.refusedLately(), ['page']);
  });

  test('a refusal is known to all handles, and each further one doubles its cool-down', async () => {
    const { began, clock, store, other } = await opened(2);
    assert.equal(await cooldownIn(store, 'maps'), null);
    const cooldown = await store.recordRefusal('maps', refused);
    assert.deepEqual(cooldown, {
      code: 'platform_blocked',
      refusedAt: began,
      until: began + minute,
      refusals: 1,
      causes: [],
    });
    assert.deepEqual(await cooldownIn(other, 'maps'), cooldown);
    assert.equal(await cooldownIn(other, 'shortvideo'), null);
    const lengths: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      clock.set(((await cooldownIn(other, 'maps'))?.until ?? 0) + 1);
      const { until, refusedAt } = await (at % 2 === 0 ? other : store).recordRefusal('maps', refused);
      lengths.push((until - refusedAt) / minute);
    }
    assert.deepEqual(lengths, [2, 4, 8, 15, 15]);
  });

  test('refusals of requests that were on their way together count once, and the longest cool-down holds', async () => {
    const { began, store, other } = await opened(2);
    await store.recordRefusal('maps', { ...refused, code: 'platform_rate_limited', retryAfter: 300 });
    const { until, refusals } = await other.recordRefusal('maps', refused);
    assert.deepEqual([until, refusals], [began + 300_000, 1]);
  });

  test('an answer ends cool-down and count, but not that of a session which was on its way before', async () => {
    const { began, clock, store, other } = await opened(2);
    clock.set(began + 10);
    await store.recordRefusal('maps', refused);
    await other.recordAnswer('maps', began);
    assert.notEqual(await cooldownIn(store, 'maps'), null);
    await other.recordAnswer('maps', began + 10);
    assert.equal(await cooldownIn(store, 'maps'), null);
    assert.equal((await store.recordRefusal('maps', refused)).refusals, 1);
    await other.recordAnswer('shortvideo', clock.now());
  });

  test('a clock that is set back restarts a cool-down once, without extending it further', async () => {
    const { began, clock, store, other } = await opened(2);
    await store.recordRefusal('maps', refused);
    const past = began - 3_600_000;
    clock.set(past);
    assert.equal((await cooldownIn(store, 'maps'))?.until, past + minute);
    clock.set(past + 30_000);
    assert.equal((await cooldownIn(other, 'maps'))?.until, past + minute);
  });

  test('what the platform did is kept: at its first refusal and at its last', async () => {
    const { clock, store, other } = await opened(2);
    for (const cause of ['A challenge.', 'A shell.', 'A login page.']) {
      await store.recordRefusal('maps', { ...refused, cause });
      clock.set(((await cooldownIn(store, 'maps'))?.until ?? 0) + 1);
    }
    assert.deepEqual((await cooldownIn(other, 'maps'))?.causes, ['A challenge.', 'A login page.']);
    await other.recordAnswer('maps', clock.now());
    await store.recordRefusal('maps', { ...refused, cause: 'A shell.' });
    await other.recordRefusal('maps', { ...refused, cause: 'A shell.' });
    assert.deepEqual((await cooldownIn(other, 'maps'))?.causes, ['A shell.']);
  });

  test('error pages of subjects are counted by all handles, each once, until an answer', async () => {
    const { clock, store, other } = await opened(2);
    const routesIn = async (one: PaceStore) => (await one.find('maps'))?.errorRoutes ?? [];
    for (const print of ['a', 'b', 'a', 'c', 'd', 'e', 'f'])
      await (print > 'b' ? other : store).recordErrorRoute('maps', print);
    assert.deepEqual(await routesIn(store), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(await routesIn(other), await routesIn(store));
    await store.recordAnswer('shortvideo', clock.now());
    assert.equal((await routesIn(store)).length, 5);
    await other.recordAnswer('maps', clock.now());
    assert.deepEqual(await routesIn(store), []);
  });

  test('stored pauses can be listed to explain a wait', async () => {
    const { began, store } = await opened();
    assert.deepEqual(await store.listPlatforms(), []);
    await reserve(store, 'shortvideo', 1500);
    const cooldown = await store.recordRefusal('maps', refused);
    const [maps, shortvideo, ...others] = await store.listPlatforms();
    assert.deepEqual([maps?.platform, maps?.cooldown], ['maps', cooldown]);
    assert.deepEqual(shortvideo, {
      platform: 'shortvideo',
      nextAt: began + 1500,
      cooldown: null,
      errorRoutes: [],
    });
    assert.deepEqual(others, []);
  });

  test('counts of several handles add up by platform and day, and the shortest gap stays', async () => {
    const { clock, store, other, stores } = await opened(2);
    assert.deepEqual(await store.listDays(''), []);
    const day = { platform: 'maps', day: '2026-11-26', requests: 3, refusals: 1, bytes: 500 };
    await store.addDays([{ ...day, shortest_gap_ms: null }]);
    assert.deepEqual(await other.listDays(''), [{ ...day, shortest_gap_ms: null }]);
    await other.addDays([
      { ...day, shortest_gap_ms: 1_600 },
      { ...day, platform: 'shortvideo', shortest_gap_ms: 1_500 },
      { ...day, day: '2026-11-25', shortest_gap_ms: null },
    ]);
    await store.addDays([{ ...day, bytes: 2 ** 40, shortest_gap_ms: 1_700 }]);
    await store.addDays([{ ...day, shortest_gap_ms: null }]);
    const days = await store.listDays('2026-11-26');
    assert.deepEqual(days, [
      { ...day, requests: 12, refusals: 4, bytes: 1_500 + 2 ** 40, shortest_gap_ms: 1_600 },
      { ...day, platform: 'shortvideo', shortest_gap_ms: 1_500 },
    ]);
    assert.equal((await store.listDays('')).length, 3);
    const adding = Array.from({ length: 20 }, (_, at) =>
      stores[at % 2]?.addDays([{ ...day, shortest_gap_ms: null }]),
    );
    await clock.passing(Promise.all(adding), lockMs);
    assert.equal((await store.listDays('2026-11-26'))[0]?.requests, 72);
  });

  test('a closed store rejects with a fault of storage', async () => {
    const { store } = await opened();
    await reserve(store, 'maps', 1000);
    await store.close();
    await assert.rejects(reserve(store, 'maps', 1000), StorageError);
  });
}
