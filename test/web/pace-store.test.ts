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
import type { Throttle, ThrottledSession } from '../../lib/web/throttle.js';
import { FakeClock } from '../support/fake-clock.js';
import { openTestDatabase, skipWithoutPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { throttleOf } from '../support/throttle.js';
import { reserve } from './reserve.js';

const minute = 60_000;
const hour = 60 * minute;
/** Waits for the lock of a file are shorter. */
const lockMs = 100;
const never = new AbortController().signal;
const refused = { code: 'platform_blocked', retryAfter: undefined, firstMs: minute } as const;

const cooldownIn = async (store: PaceStore, platform: string) =>
  (await store.find(platform))?.cooldown ?? null;

/** Opens another handle on one state, as another process does. */
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

/** Wraps a store to count its operations in progress. */
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
  const opened = async (handles = 2) => {
    const clock = new FakeClock();
    const open = await make();
    const stores: PaceStore[] = [];
    for (let at = 0; at < handles; at += 1) stores.push(await open(clock));
    const [store, other] = stores as [PaceStore, PaceStore];
    closes.push(() => Promise.all(stores.map((one) => one.close())));
    return { clock, began: clock.now(), store, other, stores };
  };

  /** One reservation after another: the milliseconds when it is made and those that it gets, both since the beginning. */
  type Reservation = readonly [
    now: number,
    at: number,
    more?: { ms?: number; instead?: number; on?: string },
  ];
  const moments: Readonly<Record<string, readonly Reservation[]>> = {
    'moments are so many milliseconds apart on one platform, and the first is now': [
      ...([
        [0, 0],
        [0, 1000],
        [300, 2000],
        [10_000, 10_000],
      ] as const),
      [10_000, 10_000, { on: 'shortvideo' }],
    ],
    'an unused moment moves to now if it was the last, otherwise behind the others': [
      ...([
        [0, 0],
        [400, 400, { instead: 0 }],
        [400, 1400],
      ] as const),
      [900, 2400, { instead: 400 }],
    ],
    'a moment further ahead than the longest cool-down is ignored': [
      [0, 0, { ms: 16 * minute }],
      [0, 0],
    ],
    'a clock that is set back does not extend a wait beyond the pace': [
      ...([
        [0, 0],
        [0, 1000],
        [-10 * minute, -10 * minute],
      ] as const),
      [-10 * minute, -10 * minute + 1000],
    ],
  };
  for (const [title, reservations] of Object.entries(moments)) {
    test(title, async () => {
      const { began, clock, store } = await opened(1);
      for (const [now, at, { ms = 1000, instead, on = 'maps' } = {}] of reservations) {
        clock.set(began + now);
        const unused = instead === undefined ? undefined : began + instead;
        assert.equal((await reserve(store, on, ms, unused)) - began, at);
      }
    });
  }

  test('handles on one state share the moments: however they take turns, all are apart', async () => {
    const { clock, stores } = await opened(4);
    const reserved: number[] = [];
    for (let round = 0; round < 50; round += 1) {
      const handles = stores.slice(0, 1 + (round % 4));
      reserved.push(...(await Promise.all(handles.map((one) => reserve(one, 'maps', 1000)))));
      clock.set(clock.now() + ((round * 7919) % 3000));
    }
    reserved.sort((a, b) => a - b);
    for (const [at, moment] of reserved.slice(1).entries())
      assert.ok(moment - (reserved[at] as number) >= 1000);
  });

  test('an hour has a fixed number of starts over all processes; then nothing is reserved', async () => {
    const { began, clock, store, other } = await opened();
    const pace = { ms: 1000, perHour: 3 };
    const turn = async (of: PaceStore, at: number, isReserved: boolean, platform = 'maps') =>
      assert.deepEqual(await of.reserve(platform, pace), { at: began + at, isReserved });
    for (const [at, one] of [store, other, store].entries()) await turn(one, at * 1000, true);
    for (let times = 0; times < 2; times += 1) await turn(other, hour, false);
    await turn(other, 0, true, 'shortvideo');
    clock.set(began + hour);
    await turn(store, hour, true);
    await turn(other, 1000 + hour, false);
  });

  test('a clock that is set back by hours gives the hour back', async () => {
    const { began, clock, store } = await opened(1);
    const pace = { ms: 1000, perHour: 1 };
    await store.reserve('maps', pace);
    clock.set(began - 2 * hour);
    assert.deepEqual(await store.reserve('maps', pace), { at: began - 2 * hour, isReserved: true });
  });

  test('two throttles share the budget of an hour, and one that is stopped leaves it to the other', async () => {
    const { began, clock, stores } = await opened();
    const work = { busy: 0 };
    const page = { ms: 1000, concurrency: 1, perHour: 4 };
    const [one, other] = stores.map((store) =>
      throttleOf({ page }, { clock, paceStore: counted(store, work) }).open('plain'),
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
    const { clock, stores } = await opened();
    const gap = { ms: 0, concurrency: 1 };
    const [one, other] = stores.map((paceStore) =>
      throttleOf({ page: gap, embed: gap }, { platform: 'photosocial', clock, paceStore }),
    ) as [Throttle, Throttle];
    const early = other.open('plain');
    const refusal = one.open('plain');
    refusal.report({ surface: 'page', outcome: 'platform_blocked', cause: 'A login page.' } as Attempt);
    refusal.end(undefined);
    await one.flush();
    const resting = early.run(async () => 'asked', never, 'page');
    await assert.rejects(resting, /A login page\. photosocial\/page refused/);
    assert.equal(await early.run(async () => 'asked', never, 'embed'), 'asked');
    assert.deepEqual(await other.refusedLately(), ['page']);
  });

  test('a refusal is known to all handles, and each further one doubles its cool-down', async () => {
    const { began, clock, store, other } = await opened();
    assert.equal(await cooldownIn(store, 'maps'), null);
    const cooldown = await store.recordRefusal('maps', refused);
    assert.deepEqual(cooldown, {
      ...{ code: 'platform_blocked', refusals: 1, causes: [] },
      ...{ refusedAt: began, until: began + minute },
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

  test('refusals of concurrent requests count once, and the longest cool-down holds', async () => {
    const { began, store, other } = await opened();
    await store.recordRefusal('maps', { ...refused, code: 'platform_rate_limited', retryAfter: 300 });
    const { until, refusals } = await other.recordRefusal('maps', refused);
    assert.deepEqual([until, refusals], [began + 300_000, 1]);
  });

  test('an answer ends cool-down and count, unless its session started before the refusal', async () => {
    const { began, clock, store, other } = await opened();
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
    const { began, clock, store, other } = await opened();
    await store.recordRefusal('maps', refused);
    const past = began - 3_600_000;
    clock.set(past);
    assert.equal((await cooldownIn(store, 'maps'))?.until, past + minute);
    clock.set(past + 30_000);
    assert.equal((await cooldownIn(other, 'maps'))?.until, past + minute);
  });

  test('the causes of the first and the last refusal are stored', async () => {
    const { clock, store, other } = await opened();
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
    const { clock, store, other } = await opened();
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
    assert.partialDeepStrictEqual(await store.listPlatforms(), [
      { platform: 'maps', cooldown },
      { platform: 'shortvideo', nextAt: began + 1500, cooldown: null, errorRoutes: [] },
    ]);
  });

  test('counts of several handles add up by platform and day, and the shortest gap stays', async () => {
    const { clock, store, other, stores } = await opened();
    assert.deepEqual(await store.listDays(''), []);
    const day = { platform: 'maps', day: '2026-11-26', requests: 3, refusals: 1, bytes: 500 };
    const unmeasured = { ...day, shortest_gap_ms: null };
    await store.addDays([unmeasured]);
    assert.deepEqual(await other.listDays(''), [unmeasured]);
    const shortvideo = { ...day, platform: 'shortvideo', shortest_gap_ms: 1_500 };
    const earlier = { ...unmeasured, day: '2026-11-25' };
    await other.addDays([{ ...day, shortest_gap_ms: 1_600 }, shortvideo, earlier]);
    await store.addDays([{ ...day, bytes: 2 ** 40, shortest_gap_ms: 1_700 }]);
    await store.addDays([unmeasured]);
    const sum = { requests: 12, refusals: 4, bytes: 1_500 + 2 ** 40, shortest_gap_ms: 1_600 };
    assert.deepEqual(await store.listDays('2026-11-26'), [{ ...day, ...sum }, shortvideo]);
    assert.equal((await store.listDays('')).length, 3);
    const adding = Array.from({ length: 20 }, (_, at) => stores[at % 2]?.addDays([unmeasured]));
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
