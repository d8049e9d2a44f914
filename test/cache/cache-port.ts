import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CachedAnswer, CacheStore } from '../../lib/cache/cache.js';
import { FakeClock } from '../support/fake-clock.js';

export function answerOf(data: string, changes: Partial<CachedAnswer> = {}): CachedAnswer {
  return { data, fetchedAt: '2026-01-01T00:00:00.000Z', next: null, prints: [], ...changes };
}

/** What every cache does, one that keeps nothing too. `open` gives an empty one. */
export function anyCachePort(name: string, open: () => CacheStore): void {
  describe(`${name}, as every cache`, () => {
    test('has nothing under a key that was never set, or set with no lifetime', async () => {
      const cache = open();
      assert.equal(await cache.get('a'), undefined);
      await cache.set('a', answerOf('1'), 0);
      assert.equal(await cache.get('a'), undefined);
      await cache.close();
    });

    test('returns the stored value or nothing, and nothing after it was cleared', async () => {
      const cache = open();
      const answer = answerOf('1', { next: 2, prints: ['p'] });
      await cache.set('a', answer, 60);
      const cached = await cache.get('a');
      if (cached !== undefined) assert.deepEqual(cached, answer);
      await cache.clear();
      assert.equal(await cache.get('a'), undefined);
      await cache.close();
      await cache.close();
    });
  });
}

/** What every cache that keeps answers does. `open` gives an empty one over that clock, which begins at `now`. */
export function cachePort(name: string, open: (clock: FakeClock) => CacheStore, now?: number): void {
  /** A test of a cache, which is opened before it and closed after. */
  const it = (title: string, body: (cache: CacheStore, clock: FakeClock) => Promise<void>) =>
    test(title, async () => {
      const clock = new FakeClock(now);
      const cache = open(clock);
      await body(cache, clock);
      await cache.close();
    });
  anyCachePort(name, () => open(new FakeClock(now)));

  describe(name, () => {
    it('returns the answer with its first time, its next page and its fingerprints', async (cache) => {
      const answer = answerOf('{"name":"Café 東 🏝"}', {
        next: { page: [1, 'two', null] },
        prints: ['p', 'q'],
      });
      await cache.set('a', answer, 60);
      assert.deepEqual(await cache.get('a'), answer);
    });

    it('keeps an answer to the end of its lifetime and not a millisecond longer', async (cache, clock) => {
      await cache.set('a', answerOf('1'), 60);
      await clock.advance(59_999);
      assert.equal((await cache.get('a'))?.data, '1');
      await clock.advance(1);
      assert.equal(await cache.get('a'), undefined);
    });

    it('a later answer takes the place and the lifetime of an earlier one', async (cache, clock) => {
      await cache.set('a', answerOf('1'), 60);
      await clock.advance(50_000);
      await cache.set('a', answerOf('2'), 60);
      await clock.advance(50_000);
      assert.equal((await cache.get('a'))?.data, '2');
    });

    it('keeps keys apart, whatever is in them', async (cache) => {
      const keys = ['a', 'A', 'a ', `a'--`, 'a%', 'a_', 'keyv:a', 'é', 'e\u0301', '\ud83c\udfdd'];
      keys.push('x'.repeat(300));
      for (const [index, key] of keys.entries()) await cache.set(key, answerOf(`${index}`), 60);
      for (const [index, key] of keys.entries()) assert.equal((await cache.get(key))?.data, `${index}`, key);
    });

    it('returns to each of many concurrent readers its own answer, or none', async (cache) => {
      const numbers = Array.from({ length: 600 }, (_, number) => number);
      const even = numbers.filter((number) => number % 2 === 0);
      await Promise.all(even.map((number) => cache.set(String(number), answerOf(`${number}`), 60)));
      const cached = await Promise.all(numbers.map((number) => cache.get(String(number))));
      for (const number of numbers) {
        assert.equal(cached[number]?.data, number % 2 === 0 ? `${number}` : undefined);
      }
    });

    it('forgets everything when it is cleared, and keeps again after', async (cache) => {
      for (let n = 0; n < 30; n++) await cache.set(`k${n}`, answerOf('1'), 60);
      await cache.clear();
      for (let n = 0; n < 30; n++) assert.equal(await cache.get(`k${n}`), undefined);
      await cache.set('a', answerOf('2'), 60);
      assert.equal((await cache.get('a'))?.data, '2');
    });

    it('discards pending writes and look-ups when it is cleared', async (cache) => {
      await cache.set('a', answerOf('1'), 60);
      const reading = cache.get('a');
      const writing = cache.set('b', answerOf('2'), 60);
      await cache.clear();
      await Promise.all([reading, writing]);
      assert.deepEqual([await cache.get('a'), await cache.get('b')], [undefined, undefined]);
    });

    it('takes large answers', async (cache) => {
      const data = JSON.stringify('ж'.repeat(2_000_000));
      await cache.set('a', answerOf(data), 60);
      assert.ok((await cache.get('a'))?.data === data);
    });

    it('a value set while an older one is read stays', async (cache) => {
      await cache.set('a', answerOf('old'), 60);
      const reading = cache.get('a');
      const writing = cache.set('a', answerOf('new'), 60);
      await Promise.all([reading, writing]);
      assert.equal((await cache.get('a'))?.data, 'new');
    });

    it('is a miss once it is closed, and closes twice', async (cache) => {
      await cache.set('a', answerOf('1'), 60);
      await cache.close();
      assert.equal(await cache.get('a'), undefined);
      await cache.set('a', answerOf('1'), 60);
    });
  });
}
