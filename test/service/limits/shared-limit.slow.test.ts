import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { limitsSchema, PostgresCounts } from '../../../src/service/limits/postgres/postgres-counts.js';
import { RateLimit } from '../../../src/service/limits/rate-limit.js';
import type { CallerCount, CallerTotal, SharedCounts } from '../../../src/service/limits/shared-counts.js';
import { FakeClock } from '../../support/fake-clock.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';

/** Counts that one place keeps, as the store does. */
class CountsInMemory implements SharedCounts {
  readonly published: (readonly CallerCount[])[] = [];
  readonly windows = new Map<string, { used: number; began: number; ends: number }>();
  fault: Error | null = null;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  async add(counts: readonly CallerCount[]): Promise<readonly CallerTotal[]> {
    this.published.push(counts);
    if (this.fault !== null) throw this.fault;
    const now = this.#clock.now();
    return counts.map(({ caller, used, left }) => {
      const current = this.windows.get(caller);
      const window =
        current === undefined || current.ends <= now ? { used: 0, began: now, ends: now + left } : current;
      window.used += used;
      this.windows.set(caller, window);
      return { caller, used: window.used, began: window.began, left: window.ends - now };
    });
  }
}

function servers(quota: number, count = 2) {
  const clock = new FakeClock();
  const place = new CountsInMemory(clock);
  const limits = Array.from({ length: count }, () => new RateLimit('key', quota, clock, place));
  return { clock, place, limits };
}

/** Lets requests pass until one is refused, or so many have. */
async function pass(limit: RateLimit | undefined, most: number): Promise<number> {
  for (let passed = 0; ; passed += 1) {
    for (let wait = limit?.wait('a'); wait !== undefined; wait = limit?.wait('a')) await wait;
    if (passed === most || limit?.take('a').allowed !== true) return passed;
  }
}

describe('a limit of several servers', () => {
  test('is shared within a quarter of a second, and known to others with their next request', async () => {
    const { clock, place, limits } = servers(1000);
    const [one, other] = limits;
    assert.equal(await pass(one, 7), 7);
    assert.equal(place.published.length, 0);
    await clock.advance(250);
    assert.equal(place.published.length, 1);
    assert.equal(other?.take('a').remaining, 999);
    await clock.advance(250);
    assert.equal(other?.take('a').remaining, 991);
    assert.equal(place.published[1]?.[0]?.caller, 'key a');
  });

  test('applies on every server, except for the few requests that one admits before it asks', async () => {
    const { limits } = servers(600, 3);
    let all = 0;
    for (const limit of [...limits, ...limits]) all += await pass(limit, 1000);
    assert.ok(all >= 600 && all <= 600 + 3 * 12, `${all}`);
  });

  test('no request waits while the store cannot be used, and the counts are sent later', async () => {
    const { clock, place, limits } = servers(600);
    place.fault = new Error('down');
    assert.equal(await pass(limits[0], 1000), 600);
    assert.equal(place.published.length, 1);
    place.fault = null;
    assert.equal(await pass(limits[1], 10), 10);
    await clock.advance(1_250);
    // All but the twelve that may or may not have been added.
    assert.equal(place.windows.get('key a')?.used, 600 - 12 + 10);
  });

  test('an answer that does not come is waited for a second', async () => {
    const clock = new FakeClock();
    const limit = new RateLimit('key', 50, clock, { add: () => new Promise(() => undefined) });
    const passing = pass(limit, 20);
    await clock.untilSleeping(1);
    await clock.advance(1_000);
    assert.equal(await passing, 20);
  });

  test('a window ends on all servers together, and another starts', async () => {
    const { clock, limits } = servers(50);
    const [one, other] = limits;
    assert.equal(await pass(one, 1000), 50);
    await clock.advance(20_000);
    assert.equal(await pass(other, 1000), 1, 'it asks after its first');
    assert.ok((other?.take('a').seconds ?? 0) <= 40, 'it has taken over the window of all');
    await clock.advance(39_999);
    assert.equal(other?.take('a').allowed, false);
    await clock.advance(1);
    assert.equal(await pass(other, 30), 30);
    await setImmediate();
    const rest = await pass(one, 1000);
    assert.ok(rest >= 19 && rest <= 21, `${rest}`);
  });
});

describe('a limit over PostgreSQL', { skip: skipWithoutPostgres }, () => {
  let database: OpenTestDatabase;
  before(async () => {
    database = await openTestDatabase([limitsSchema]);
  });
  after(() => database.close());

  test('adds up all counts, and starts a new window when one is over', async () => {
    const counts = new PostgresCounts(database.postgres);
    const addUse = (used: number, ms = 60_000) => counts.add([{ caller: 'key b', used, left: ms }]);
    const [first] = await addUse(3, 40_000.5);
    assert.equal(first?.used, 3);
    assert.ok((first?.left ?? 0) > 39_000 && (first?.left ?? 0) <= 40_001);
    const [second] = await addUse(4);
    assert.deepEqual([second?.used, second?.began], [7, first?.began]);
    assert.ok((second?.left ?? 0) <= (first?.left ?? 0));
    await database.postgres.write((queries) => queries.run('UPDATE rate_windows SET ends_at = began'));
    const [third] = await addUse(2, 10_000);
    assert.equal(third?.used, 2);
    assert.ok((third?.left ?? 0) <= 10_000 && third?.began !== first?.began);
    // The clock of the database was set back by an hour.
    await database.postgres.write((queries) =>
      queries.run('UPDATE rate_windows SET began = began + 3600000, ends_at = ends_at + 3600000'),
    );
    const [fourth] = await addUse(1);
    assert.equal(fourth?.used, 1);
    assert.ok((fourth?.left ?? 0) <= 60_000);
  });

  test('processes that name the same callers in another order do not wait for each other for ever', async () => {
    const counts = new PostgresCounts(database.postgres);
    const names = Array.from({ length: 200 }, (_, n) => `key ${n}`);
    const addUses = (callers: readonly string[]) =>
      counts.add(callers.map((caller) => ({ caller, used: 1, left: 60_000 })));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => addUses(n % 2 === 0 ? names : names.toReversed())),
    );
    const totals = await addUses(names);
    assert.deepEqual([...new Set(totals.map(({ used }) => used))], [21]);
  });

  test('windows that are over are swept up', async () => {
    const counts = new PostgresCounts(database.postgres);
    await database.postgres.write((queries) =>
      queries.run(`INSERT INTO rate_windows SELECT 'over' || n, 1, 0, n FROM generate_series(1, 50) n`),
    );
    for (let n = 0; n < 100; n++) await counts.add([{ caller: 'key c', used: 1, left: 60_000 }]);
    const over = `SELECT 1 FROM rate_windows WHERE caller LIKE 'over%'`;
    while ((await database.postgres.read((queries) => queries.rows(over))).length > 0) await setImmediate();
  });
});
