import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compare, type KnownState, type Move, stateAfter } from '../../../src/lines/memory/compare.js';
import type { Observation } from '../../../src/lines/memory/observation.js';
import { saysLess } from '../../../src/lines/memory/says-less.js';
import { anAccount, aPostList, day, minute } from './observations.js';

/** Remembers one subject as a store does. */
class Memory {
  #known: KnownState = { subject: null, objects: new Map(), appearances: new Map() };

  observe(observation: Observation): readonly Move[] {
    const compared = compare(this.#known, observation);
    this.#known = stateAfter(this.#known, observation, compared);
    return compared.moves;
  }

  fields(key: string) {
    return this.#known.objects.get(key)?.fields;
  }
}

const texts = (moves: readonly Move[]) =>
  moves.map(({ key, event, field, before, after }) =>
    field === null ? `${key} ${event}` : `${field} ${before}→${after}`,
  );

test('values missing from a page change nothing, and keep their last state', () => {
  const memory = new Memory();
  memory.observe(anAccount('mira', { biography: 'Harbour', followers_count: 5 }));
  assert.deepEqual(memory.observe(anAccount('mira', { followers_count: null }, { at: day })), []);
  assert.equal(memory.fields('mira')?.biography, 'Harbour');
  const again = memory.observe(
    anAccount('mira', { biography: 'Harbour', followers_count: 6 }, { at: 2 * day }),
  );
  assert.deepEqual(texts(again), ['followers_count 5→6']);
});

test('re-signed addresses of one picture are not a change', () => {
  const memory = new Memory();
  const picture = (host: string, file: string) => ({
    avatar_url: `https://${host}.example/${file}?sig=${host}`,
  });
  const about = { endpoint: 'shortvideo/profile', object: 'shortvideo_profile' };
  const observe = (fields: object, at: number) =>
    texts(memory.observe({ ...anAccount('mira', fields, { at }), ...about }));
  observe(picture('a', 'one.jpg'), 0);
  assert.deepEqual(observe(picture('b', 'one.jpg'), day), []);
  assert.equal(observe(picture('b', 'two.jpg'), 2 * day).length, 1);
});

test('a brief answer that rounds a count or cuts a text is not a change', () => {
  const memory = new Memory();
  memory.observe(anAccount('mira', { followers_count: 12_345, biography: 'Boats and bread' }));
  const brief = { isBrief: true, at: day };
  const rounded = anAccount('mira', { followers_count: 12_300, biography: 'Boats…' }, brief);
  assert.deepEqual(memory.observe(rounded), []);
  assert.equal(memory.fields('mira')?.followers_count, 12_345);
  const more = memory.observe(anAccount('mira', { followers_count: 12_500 }, { ...brief, at: 2 * day }));
  assert.deepEqual(texts(more), ['followers_count 12345→12500']);
  const exact = memory.observe(anAccount('mira', { followers_count: 12_300 }, { at: 3 * day }));
  assert.deepEqual(texts(exact), ['followers_count 12500→12300']);
});

test('what says less: rounded counts, cut texts, shorter lists, unknown values', () => {
  const cases: readonly (readonly [unknown, unknown, boolean])[] = [
    [null, 'x', true],
    [1_200_000, 1_234_567, true],
    [1_300_000, 1_234_567, true],
    [1_200_000, 1_400_000, false],
    [9_900, 9_934, false],
    ['Boats...', 'Boats and bread', true],
    ['Bread', 'Boats and bread', false],
    [[1], [1, 2], true],
    [[1, 2], [1, 3], false],
    [{ a: null, b: 1 }, { a: 2, b: 1 }, true],
    [{ a: 3, b: 1 }, { a: 2, b: 1 }, false],
    [true, true, true],
    [true, false, false],
  ];
  for (const [value, earlier, expected] of cases)
    assert.equal(saysLess(value, earlier), expected, JSON.stringify([value, earlier]));
});

test('a cached answer reports nothing about later readings', () => {
  const memory = new Memory();
  memory.observe(anAccount('mira', { followers_count: 5 }, { at: day }));
  const old = anAccount('mira', { followers_count: 4 }, { at: day - minute, isCached: true });
  assert.deepEqual(memory.observe(old), []);
  // A clock that was set back is another thing: what the page says now is so.
  const setBack = anAccount('mira', { followers_count: 6 }, { at: day - 300 * day });
  assert.deepEqual(texts(memory.observe(setBack)), ['followers_count 5→6']);
});

test('an old item that comes into sight at the end of a list is not new', () => {
  const memory = new Memory();
  memory.observe(aPostList('mira', ['c', 'b']));
  const moves = texts(memory.observe(aPostList('mira', ['d', 'c', 'b', 'a'], { at: day })));
  assert.deepEqual(moves, ['d new', 'a first']);
  // All count as new if none was known: more were added than the list shows.
  assert.deepEqual(texts(memory.observe(aPostList('mira', ['f', 'e'], { at: 2 * day }))), ['f new', 'e new']);
  memory.observe(aPostList('mira', ['f', 'e', 'd', 'c', 'b', 'a'], { at: 3 * day, isWhole: true }));
  const wasRead = memory.observe(aPostList('mira', ['f', 'g'], { at: 4 * day }));
  assert.deepEqual(texts(wasRead), ['g new']);
});

test('of a list of several pages must be missing from two consecutive readings', () => {
  const memory = new Memory();
  const observeAll = (ids: readonly string[], at: number) =>
    texts(memory.observe(aPostList('mira', ids, { at: at * day, isWhole: true, pages: 3 })));
  observeAll(['c', 'b', 'a'], 0);
  assert.deepEqual(observeAll(['c', 'a'], 1), []);
  assert.deepEqual(observeAll(['c', 'b', 'a'], 2), []);
  assert.deepEqual(observeAll(['c', 'a'], 3), []);
  assert.deepEqual(observeAll(['c', 'a'], 4), ['b removed']);
  assert.deepEqual(observeAll(['c', 'b', 'a'], 5), ['b returned']);
});

const ids = ['a', 'b', 'c', 'd', 'e'] as const;
const listReading = fc.record({
  present: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: ids.length }),
  counts: fc.array(fc.option(fc.nat(3)), { minLength: ids.length, maxLength: ids.length }),
  isWhole: fc.boolean(),
  isCached: fc.boolean(),
  pages: fc.integer({ min: 1, max: 3 }),
  at: fc.integer({ min: -3, max: 10 }),
  repeats: fc.integer({ min: 0, max: 2 }),
});

test('any readings, in any order of times, some of them twice: each change is reported once, and they add up', () => {
  fc.assert(
    fc.property(fc.array(listReading, { maxLength: 12 }), (readings) => {
      const [once, often] = [new Memory(), new Memory()];
      const state = new Map<string, 'there' | 'gone'>();
      const values = new Map<string, unknown>();
      for (const { present, counts, isWhole, isCached, pages, at, repeats } of readings) {
        const fields = Object.fromEntries(ids.map((id, index) => [id, { like_count: counts[index] }]));
        const more = { fields, isWhole, isCached, pages, at: at * day };
        const observation = aPostList('mira', present, more);
        const moves = once.observe(observation);
        for (const { key, event, before, after } of moves) {
          if (event === 'changed') {
            if (values.has(key)) assert.equal(before, values.get(key));
            assert.notEqual(after, before);
            assert.notEqual(after, null);
            values.set(key, after);
          } else if (event === 'removed') {
            assert.ok(isWhole && !present.includes(key as 'a'));
            assert.equal(state.get(key), 'there');
            state.set(key, 'gone');
          } else {
            assert.equal(state.get(key), event === 'returned' ? 'gone' : undefined);
            state.set(key, 'there');
          }
        }
        // Of a list on one page a process that is killed may read the same again.
        const repeated = { ...observation, pages: 1 };
        const first = often.observe(repeated);
        const expected = pages === 1 ? moves : undefined;
        if (readings.every((one) => one.pages === 1)) assert.deepEqual(texts(first), texts(expected ?? []));
        for (let again = 0; again < repeats; again += 1) assert.deepEqual(often.observe(repeated), []);
      }
      for (const [key, value] of values) assert.equal(once.fields(key)?.like_count, value);
    }),
  );
});
