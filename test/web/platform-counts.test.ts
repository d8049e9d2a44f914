import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StorageError } from '../../lib/errors/storage-error.js';
import { PlatformCounts } from '../../lib/web/platform-counts.js';
import type { PlatformDay } from '../../lib/web/platform-day.js';
import { FakeClock } from '../support/fake-clock.js';

/** Counts over a store in memory, which can be made to fail. */
function counting() {
  const clock = new FakeClock();
  const stored: PlatformDay[] = [];
  const state = { isBroken: false };
  const store = {
    async addDays(days: readonly PlatformDay[]) {
      if (state.isBroken) throw new StorageError('full', 'The disk is full.');
      stored.push(...structuredClone(days));
    },
  };
  return { clock, written: stored, state, counts: new PlatformCounts(store, clock) };
}

/** Two paces of a platform. */
const [pages, embeds] = [{}, {}];

describe('the counts of requests', () => {
  test('are written every ten seconds at most, and at the end', async () => {
    const { clock, written, counts } = counting();
    const [maps, shortvideo] = [counts.of('maps'), counts.of('shortvideo')];
    for (let request = 0; request < 100; request += 1) maps.addRequest(pages);
    maps.addBytes(300);
    maps.addBytes(20);
    shortvideo.addRefusal();
    assert.equal(clock.sleeping, 1);
    await clock.advance(9_999);
    assert.deepEqual(written, []);
    await clock.advance(1);
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    assert.deepEqual(written, [
      { platform: 'maps', day, requests: 100, refusals: 0, bytes: 320, shortest_gap_ms: 0 },
      { platform: 'shortvideo', day, requests: 0, refusals: 1, bytes: 0, shortest_gap_ms: null },
    ]);
    assert.equal(clock.sleeping, 0, 'nothing is written while nothing is asked');
    maps.addRequest(pages);
    await counts.close();
    assert.equal(written.length, 3);
  });

  test('measure the time between requests of one pace', async () => {
    const { clock, written, counts } = counting();
    const maps = counts.of('maps');
    maps.addRequest(pages);
    await clock.advance(7);
    maps.addRequest(embeds);
    await clock.advance(1_000);
    maps.addRequest(pages);
    await counts.close();
    assert.deepEqual(
      written.map(({ shortest_gap_ms: gap }) => gap),
      [1_007],
    );
  });

  test('wait for an unavailable store, without loss or duplicates', async () => {
    const { clock, written, state, counts } = counting();
    const maps = counts.of('maps');
    state.isBroken = true;
    maps.addRequest(pages);
    await clock.advance(10_000);
    assert.deepEqual(written, []);
    maps.addRequest(pages);
    maps.addBytes(7);
    state.isBroken = false;
    await counts.close();
    assert.deepEqual(
      written.map(({ requests, bytes, shortest_gap_ms: gap }) => [requests, bytes, gap]),
      [[2, 7, 10_000]],
    );
  });
});
