import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyvStorageGetResult } from 'keyv';
import { type AnswerStore, CacheTimeout, CarefulStore } from '../../lib/cache/careful-store.js';
import { tieredCache } from '../../lib/cache/open-cache.js';
import { tierOver } from '../../lib/cache/tier.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import { FakeClock } from '../support/fake-clock.js';
import { answerOf } from './cache-port.js';

const timeoutMs = 2_000;

/** A cache over a map that takes some milliseconds to open, and some for each answer. */
function slowCache(clock: FakeClock, openMs: number, getMs: number) {
  const entries = new Map<string, string>();
  const faults: unknown[] = [];
  const adapter: AnswerStore = {
    async get<Value>(key: string) {
      await clock.sleep(getMs);
      return entries.get(key) as KeyvStorageGetResult<Value>;
    },
    async set(key, value) {
      entries.set(key, value as string);
      return true;
    },
    async clear() {
      entries.clear();
    },
    async disconnect() {},
  };
  const store = new CarefulStore({
    async open() {
      await clock.sleep(openMs);
      return adapter;
    },
    faultOf: (cause) => new StorageError('unreachable', 'Too slow.', { cause }),
    timeoutMs,
    clock,
    onFault: (fault) => faults.push(fault?.cause),
  });
  return { cache: tieredCache(0, tierOver(store, clock), clock), faults };
}

test('the time to open a store does not count as the time of an answer', async () => {
  const clock = new FakeClock();
  const { cache, faults } = slowCache(clock, timeoutMs * 2, timeoutMs / 2);
  await clock.passing(cache.set('a', answerOf('1'), 600));
  assert.deepEqual((await clock.passing(cache.get('a'), timeoutMs))?.data, answerOf('1').data);
  assert.deepEqual(faults, []);
});

test('an answer that takes too long is a miss, and is reported once', async () => {
  const clock = new FakeClock();
  const { cache, faults } = slowCache(clock, 0, timeoutMs * 2);
  assert.equal(await clock.passing(cache.get('a')), undefined);
  assert.equal(await clock.passing(cache.get('b')), undefined);
  const areTimeouts = faults.map((cause) => cause instanceof CacheTimeout);
  assert.deepEqual(areTimeouts, [true]);
});
