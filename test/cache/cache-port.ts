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

    test('has nothing after it was cleared', async () => {
      const cache = open();
      await cache.set('a', answerOf('1'), 60);
      await cache.clear();
      assert.equal(await cache.get('a'), undefined);
      await cache.close();
    });

    test('returns the stored value, or nothing', async () => {
      const cache = open();
      const answer = answerOf('1', { next: 2, prints: ['p'] });
      await cache.set('a', answer, 60);
      const cached = await cache.get('a');
      if (cached !== undefined) assert.deepEqual(cached, answer);
      await cache.close();
    });

    test('closes twice', async () => {
      const cache = open();
      await cache.set('a', answerOf('1'), 60);
      await cache.close();
      await cache.close();
    });
  });
}

/** What every cache that keeps answers does. `open` gives an empty one over that clock, which begins at `now`. */
export function cachePort(name: string, open: (clock: FakeClock) => CacheStore, now?: number): void {
  const opened = () => {
    const clock = new FakeClock(now);
    return { clock, cache: open(clock) };
  };

  describe(name, () => {
    test('has nothing at first', async () => {
      const { cache } = opened();
      assert.equal(await cache.get('a'), undefined);
      await cache.close();
    });

    test('returns the answer with its first time, its next page and its fingerprints', async () => {
      const { cache } = opened();
      const answer = answerOf('{"name":"Café 東 🏝"}', {
        next: { page: [1, 'two', null] },
        prints: ['p', 'q'],
      });
      await cache.set('a', answer, 60);
      assert.deepEqual(await cache.get('a'), answer);
      await cache.close();
    });

    test('keeps an answer to the end of its lifetime and not a millisecond longer', async () => {
      const { cache, clock } = opened();
      await cache.set('a', answerOf('1'), 60);
      await clock.advance(59_999);
      assert.equal((await cache.get('a'))?.data, '1');
      await clock.advance(1);
      assert.equal(await cache.get('a'), undefined);
      await cache.close();
    });

    test('does not store a value without a lifetime', async () => {
      const { cache } = opened();
      await cache.set('a', answerOf('1'), 0);
      assert.equal(await cache.get('a'), undefined);
      await cache.close();
    });

    test('a later answer takes the place and the lifetime of an earlier one', async () => {
      const { cache, clock } = opened();
      await cache.set('a', answerOf('1'), 60);
      await clock.advance(50_000);
      await cache.set('a', answerOf('2'), 60);
      await clock.advance(50_000);
      assert.equal((await cache.get('a'))?.data, '2');
      await cache.close();
    });

    test('keeps keys apart, whatever is in them', async () => {
      const { cache } = opened();
      const keys = [
        'a',
        'A',
        'a ',
        `a'--`,
        'a%',
        'a_',
        'keyv:a',
        'é',
        'e\u0301',
        '\ud83c\udfdd',
        'x'.repeat(300),
      ];
      for (const [index, key] of keys.entries()) await cache.set(key, answerOf(`${index}`), 60);
      for (const [index, key] of keys.entries()) assert.equal((await cache.get(key))?.data, `${index}`, key);
      await cache.close();
    });

    test('returns to each of many concurrent readers its own answer, or none', async () => {
      const { cache } = opened();
      const numbers = Array.from({ length: 600 }, (_, number) => number);
      const even = numbers.filter((number) => number % 2 === 0);
      await Promise.all(even.map((number) => cache.set(String(number), answerOf(`${number}`), 60)));
      const cached = await Promise.all(numbers.map((number) => cache.get(String(number))));
      assert.deepEqual(
        cached.map((answer) => answer?.data),
        numbers.map((number) => (number % 2 === 0 ? `${number}` : undefined)),
      );
      await cache.close();
    });

    test('forgets everything when it is cleared, and keeps again after', async () => {
      const { cache } = opened();
      for (let n = 0; n < 30; n++) await cache.set(`k${n}`, answerOf('1'), 60);
      await cache.clear();
      for (let n = 0; n < 30; n++) assert.equal(await cache.get(`k${n}`), undefined);
      await cache.set('a', answerOf('2'), 60);
      assert.equal((await cache.get('a'))?.data, '2');
      await cache.close();
    });

    test('discards pending writes and look-ups when it is cleared', async () => {
      const { cache } = opened();
      await cache.set('a', answerOf('1'), 60);
      const reading = cache.get('a');
      const writing = cache.set('b', answerOf('2'), 60);
      await cache.clear();
      await Promise.all([reading, writing]);
      assert.deepEqual([await cache.get('a'), await cache.get('b')], [undefined, undefined]);
      await cache.close();
    });

    test('takes large answers', async () => {
      const { cache } = opened();
      const data = JSON.stringify('ж'.repeat(2_000_000));
      await cache.set('a', answerOf(data), 60);
      assert.ok((await cache.get('a'))?.data === data);
      await cache.close();
    });

    test('a value set while an older one is read stays', async () => {
      const { cache } = opened();
      await cache.set('a', answerOf('old'), 60);
      const reading = cache.get('a');
      const writing = cache.set('a', answerOf('new'), 60);
      await Promise.all([reading, writing]);
      assert.equal((await cache.get('a'))?.data, 'new');
      await cache.close();
    });

    test('is a miss once it is closed, and closes twice', async () => {
      const { cache } = opened();
      await cache.set('a', answerOf('1'), 60);
      await cache.close();
      assert.equal(await cache.get('a'), undefined);
      await cache.set('a', answerOf('1'), 60);
      await cache.close();
    });
  });
}
