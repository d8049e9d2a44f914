import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { KeyvStorageGetResult } from 'keyv';
import type { CachedAnswer } from '../../lib/cache/cache.js';
import {
  type AgingAnswer,
  type CacheEntry,
  entrySerialization,
  isAlive,
} from '../../lib/cache/cache-entry.js';
import { type AnswerStore, CacheTimeout, CarefulStore } from '../../lib/cache/careful-store.js';
import { memoryTier, tieredCache } from '../../lib/cache/open-cache.js';
import { tierOver } from '../../lib/cache/tier.js';
import { StorageError } from '../../lib/errors/storage-error.js';
import type { Json } from '../../lib/read/json.js';
import { FakeClock } from '../support/fake-clock.js';
import { answerOf } from './cache-port.js';

const entryOf = (characters: number): CacheEntry => ({
  answer: { data: 'x'.repeat(characters), fetchedAt: '', next: null, prints: [] },
  lifetime: 0,
  expires: 0,
});

describe('the tier in memory', () => {
  test('evicts the least recently used entry when it is full', () => {
    const tier = memoryTier(10_000);
    for (const key of ['a', 'b', 'c']) tier.set(key, entryOf(1200));
    tier.get('a');
    tier.set('d', entryOf(1200));
    const there = ['a', 'b', 'c', 'd'].map((key) => tier.get(key) !== undefined);
    assert.deepEqual(there, [true, false, true, true]);
  });

  test('counts payload, prints, sources, position and key', () => {
    const large = 'x'.repeat(6000);
    const base = entryOf(1).answer;
    for (const answer of [
      { ...base, data: large },
      { ...base, prints: [large] },
      { ...base, sources: large },
      { ...base, next: { at: large } },
    ]) {
      const tier = memoryTier(10_000);
      tier.set('a', { answer, lifetime: 0, expires: 0 });
      assert.equal(tier.get('a'), undefined);
    }
    const tier = memoryTier(10_000);
    tier.set(large, entryOf(1));
    assert.equal(tier.get(large), undefined);
  });

  test('ignores an entry larger than its limit, and keeps the rest', () => {
    const tier = memoryTier(10_000);
    tier.set('a', entryOf(10));
    tier.set('big', entryOf(100_000));
    assert.equal(tier.get('big'), undefined);
    assert.notEqual(tier.get('a'), undefined);
  });
});

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

const answer: CachedAnswer = {
  data: '{"a":1}',
  fetchedAt: '2026-01-01T00:00:00.000Z',
  next: null,
  prints: ['x'],
  coverage: { total: 3, ended: 'more', ignored: [], rounded: ['a'], routes: [] },
};

const now = 1_000;
const { stringify, parse } = entrySerialization(new FakeClock(now), 0);
const entryText = (value: AgingAnswer) => stringify({ value, expires: now + value.lifetime }) as string;
const entryFrom = (text: string) => parse(text) as { readonly value: AgingAnswer } | undefined;

describe('an entry in a store', () => {
  test('comes back as it went in, whatever a page put into it', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.array(fc.string({ unit: 'binary' })),
        (data, next, prints) => {
          const answered: CachedAnswer = {
            data: JSON.stringify(data),
            fetchedAt: answer.fetchedAt,
            next: JSON.parse(JSON.stringify(next)) as Json,
            prints,
          };
          const one = { answer: answered, lifetime: 5 };
          assert.deepEqual(entryFrom(entryText(one)), { value: one, expires: now + 5 });
        },
      ),
    );
  });

  test('survives keys and texts that other serialisers trip over', () => {
    const next = JSON.parse(
      '{"toJSON":1,"__proto__":{"a":1},"b":":base64:AAAA","c":"\\u0000\\ud800\\n"}',
    ) as Json;
    const one = { answer: { ...answer, next }, lifetime: 5 };
    assert.deepEqual(entryFrom(entryText(one)), { value: one, expires: now + 5 });
  });

  test('stores the payload byte for byte', () => {
    assert.ok(entryText({ answer, lifetime: 5 }).endsWith(`\n${answer.data}`));
  });

  test('is invalid if truncated, foreign or of another shape', () => {
    const text = entryText({ answer, lifetime: 5 });
    const others = [
      '',
      'x',
      '\n',
      text.slice(0, 40),
      text.replace('\n', ''),
      text.replace('\n', 'x\n'),
      `x${text}`,
      text.slice(text.indexOf('\n') + 1),
      '9\nnull\n{}',
      '9\n[]\n{}',
      '9\n{"fetchedAt":1,"next":null,"prints":[]}\n{}',
      '9\n{"fetchedAt":"x","prints":[]}\n{}',
      '9\n{"fetchedAt":"x","next":null,"prints":[1]}\n{}',
      '{"value":{"data":"x"},"expires":5}\n',
      // One bit of the payload is another.
      text.replace('"a":1', '"a":3'),
      text.replace('"lifetime":5', '"lifetime":"5"'),
    ];
    for (const other of others) assert.equal(entryFrom(other), undefined, other);
  });
});

test('an entry is returned until its lifetime has passed, whatever the clock did meanwhile', () => {
  const entry = { lifetime: 60_000, expires: 1_000_000 };
  const at = (now: number) => isAlive(entry, now);
  assert.deepEqual([940_000, 970_000, 999_999, 1_000_000].map(at), [true, true, true, false]);
  // Written while the clock was ahead, which was then set back: by a millisecond, an hour, a year.
  assert.deepEqual([939_999, 940_000 - 3_600_000, 0].map(at), [false, false, false]);
});
