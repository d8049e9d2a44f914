import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageError } from '../../lib/errors/storage-error.js';
import type { PaceStore } from '../../lib/web/pace-store.js';
import { FakeClock } from '../support/fake-clock.js';

const minute = 60_000;
const refused = { code: 'platform_blocked', retryAfter: undefined, firstMs: minute } as const;

const cooldownIn = async (store: PaceStore, platform: string) =>
  (await store.find(platform))?.cooldown ?? null;

/** What every store of paces does. `open` gives another handle on the same state each time, as of another process. */
export function paceStoreSuite(make: () => Promise<(clock: FakeClock) => Promise<PaceStore>>): void {
  const opened = async (handles = 1) => {
    const clock = new FakeClock();
    const open = await make();
    const stores: PaceStore[] = [];
    for (let at = 0; at < handles; at += 1) stores.push(await open(clock));
    const [store] = stores as [PaceStore, ...PaceStore[]];
    const close = () => Promise.all(stores.map((one) => one.close()));
    return { clock, began: clock.now(), store, stores, close };
  };

  test('moments are so many milliseconds apart, and the first is now', async () => {
    const { store, began, clock, close } = await opened();
    assert.equal(await store.reserve('maps', 1000), began);
    assert.equal(await store.reserve('maps', 1000), began + 1000);
    clock.set(began + 300);
    assert.equal(await store.reserve('maps', 1000), began + 2000);
    clock.set(began + 10_000);
    assert.equal(await store.reserve('maps', 1000), began + 10_000);
    assert.equal(await store.reserve('shortvideo', 1000), began + 10_000, 'platforms have nothing in common');
    await close();
  });

  test('handles on one state share the moments: however they take turns, all are apart', async () => {
    const { clock, stores, close } = await opened(4);
    const moments: number[] = [];
    for (let round = 0; round < 50; round += 1) {
      const taken = await Promise.all(
        stores.slice(0, 1 + (round % 4)).map((one) => one.reserve('maps', 1000)),
      );
      moments.push(...taken);
      clock.set(clock.now() + ((round * 7919) % 3000));
    }
    moments.sort((a, b) => a - b);
    for (const [at, moment] of moments.slice(1).entries())
      assert.ok(moment - (moments[at] as number) >= 1000);
    await close();
  });

  test('a moment that passed unused moves to now where it was the last, else behind the others', async () => {
    const { store, began, clock, close } = await opened();
    const mine = await store.reserve('maps', 1000);
    clock.set(began + 400);
    assert.equal(await store.reserve('maps', 1000, mine), began + 400);
    assert.equal(await store.reserve('maps', 1000), began + 1400);
    clock.set(began + 900);
    assert.equal(await store.reserve('maps', 1000, began + 400), began + 2400);
    await close();
  });

  test('a moment further ahead than the longest cool-down is not believed', async () => {
    const { store, began, close } = await opened();
    await store.reserve('maps', 16 * minute);
    assert.equal(await store.reserve('maps', 1000), began);
    await close();
  });

  test('a clock that is set back makes nobody wait longer than the pace', async () => {
    const { store, began, clock, close } = await opened();
    await store.reserve('maps', 1000);
    await store.reserve('maps', 1000);
    clock.set(began - 10 * minute);
    assert.equal(await store.reserve('maps', 1000), began - 10 * minute);
    assert.equal(await store.reserve('maps', 1000), began - 10 * minute + 1000);
    await close();
  });

  test('a refusal is known to all handles, and each further one doubles its cool-down', async () => {
    const { clock, began, store, stores, close } = await opened(2);
    const [, other] = stores as [PaceStore, PaceStore];
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
    await close();
  });

  test('refusals of requests that were on their way together count once, and the longest cool-down holds', async () => {
    const { began, stores, close } = await opened(2);
    const [store, other] = stores as [PaceStore, PaceStore];
    await store.recordRefusal('maps', { ...refused, code: 'platform_rate_limited', retryAfter: 300 });
    const { until, refusals } = await other.recordRefusal('maps', refused);
    assert.deepEqual([until, refusals], [began + 300_000, 1]);
    await close();
  });

  test('a year that the platform asks for is a day', async () => {
    const { began, store, close } = await opened();
    const { until } = await store.recordRefusal('maps', { ...refused, retryAfter: 365 * 86_400 });
    assert.equal(until, began + 86_400_000);
    assert.equal((await cooldownIn(store, 'maps'))?.until, until);
    await close();
  });

  test('an answer ends cool-down and count, but not that of a session which was on its way before', async () => {
    const { began, clock, stores, close } = await opened(2);
    const [store, other] = stores as [PaceStore, PaceStore];
    clock.set(began + 10);
    await store.recordRefusal('maps', refused);
    await other.recordAnswer('maps', began);
    assert.notEqual(await cooldownIn(store, 'maps'), null);
    await other.recordAnswer('maps', began + 10);
    assert.equal(await cooldownIn(store, 'maps'), null);
    assert.equal((await store.recordRefusal('maps', refused)).refusals, 1);
    await other.recordAnswer('shortvideo', clock.now());
    await close();
  });

  test('a clock that is set back begins a cool-down anew, once, and lengthens it no more', async () => {
    const { began, clock, stores, close } = await opened(2);
    const [store, other] = stores as [PaceStore, PaceStore];
    await store.recordRefusal('maps', refused);
    const past = began - 3_600_000;
    clock.set(past);
    assert.equal((await cooldownIn(store, 'maps'))?.until, past + minute);
    clock.set(past + 30_000);
    assert.equal((await cooldownIn(other, 'maps'))?.until, past + minute);
    await close();
  });

  test('what the platform did is kept: at its first refusal and at its last', async () => {
    const { clock, store, stores, close } = await opened(2);
    const [, other] = stores as [PaceStore, PaceStore];
    for (const cause of ['A challenge.', 'A shell.', 'A login page.']) {
      await store.recordRefusal('maps', { ...refused, cause });
      clock.set(((await cooldownIn(store, 'maps'))?.until ?? 0) + 1);
    }
    assert.deepEqual((await cooldownIn(other, 'maps'))?.causes, ['A challenge.', 'A login page.']);
    await other.recordAnswer('maps', clock.now());
    await store.recordRefusal('maps', { ...refused, cause: 'A shell.' });
    await other.recordRefusal('maps', { ...refused, cause: 'A shell.' });
    assert.deepEqual((await cooldownIn(other, 'maps'))?.causes, ['A shell.']);
    await close();
  });

  test('error pages of subjects are counted by all handles, each once, until an answer', async () => {
    const { clock, stores, close } = await opened(2);
    const [store, other] = stores as [PaceStore, PaceStore];
    const routesIn = async (one: PaceStore) => (await one.find('maps'))?.errorRoutes ?? [];
    for (const print of ['a', 'b', 'a', 'c', 'd', 'e', 'f'])
      await (print > 'b' ? other : store).recordErrorRoute('maps', print);
    assert.deepEqual(await routesIn(store), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(await routesIn(other), await routesIn(store));
    await store.recordAnswer('shortvideo', clock.now());
    assert.equal((await routesIn(store)).length, 5);
    await other.recordAnswer('maps', clock.now());
    assert.deepEqual(await routesIn(store), []);
    await close();
  });

  test('what is kept can be listed, for whoever explains a wait', async () => {
    const { began, store, close } = await opened();
    assert.deepEqual(await store.listPlatforms(), []);
    await store.reserve('shortvideo', 1500);
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
    await close();
  });

  test('counts of several handles add up by platform and day, and the shortest gap stays', async () => {
    const { stores, close } = await opened(2);
    const [store, other] = stores as [PaceStore, PaceStore];
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
    const found = await store.listDays('2026-11-26');
    assert.deepEqual(found, [
      { ...day, requests: 12, refusals: 4, bytes: 1_500 + 2 ** 40, shortest_gap_ms: 1_600 },
      { ...day, platform: 'shortvideo', shortest_gap_ms: 1_500 },
    ]);
    assert.equal((await store.listDays('')).length, 3);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => stores[at % 2]?.addDays([{ ...day, shortest_gap_ms: null }])),
    );
    assert.equal((await store.listDays('2026-11-26'))[0]?.requests, 72);
    await close();
  });

  test('a closed store rejects with a fault of storage', async () => {
    const { store, close } = await opened();
    await store.reserve('maps', 1000);
    await close();
    await assert.rejects(store.reserve('maps', 1000), StorageError);
  });
}
