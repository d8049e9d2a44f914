import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CacheEntry } from '../../lib/cache/cache-entry.js';
import { memoryTier } from '../../lib/cache/open-cache.js';

const entryOf = (characters: number): CacheEntry => ({
  answer: { data: 'x'.repeat(characters), fetchedAt: '', next: null, prints: [] },
  lifetime: 0,
  expires: 0,
});

describe('the tier in memory', () => {
  test('returns the same object, neither copied nor parsed', () => {
    const tier = memoryTier(10_000);
    const one = entryOf(10);
    tier.set('a', one);
    assert.equal(tier.get('a'), one);
  });

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
