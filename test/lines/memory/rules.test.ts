import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as z from 'zod';
import { endpoints } from '../../../lib/endpoints.js';
import { bare } from '../../../lib/params/describe.js';
import { contentKey } from '../../../src/files/result-files/content-key.js';
import { stableValue, volatileFields } from '../../../src/files/result-files/stable-value.js';
import { changesOf } from '../../../src/lines/memory/changes.js';
import { maxPinned, readsOn } from '../../../src/lines/memory/read-on.js';

const profile = {
  username: 'mira',
  biography: 'Boats.',
  followers_count: 10,
  avatar_url: 'https://a.cdn.example/v/1_n.jpg?e=1&sig=x',
  bio_links: [{ title: null, url: 'https://mira.example/?e=1' }],
};

describe('what changed of an object', () => {
  test('is told by field, with the value before and after', () => {
    const after = { ...profile, biography: null, bio_links: [] };
    assert.deepEqual(changesOf(profile, after, false), {
      biography: ['Boats.', null],
      bio_links: [[{ title: null, url: 'https://mira.example/?e=1' }], []],
    });
    assert.equal(changesOf(profile, { ...profile }, false), null);
  });

  test('is not what changes by itself: signatures and hosts of media, counts, what holds for the moment', () => {
    const avatar_url = 'https://b.cdn.example/w/1_n.jpg?e=2&sig=y';
    const again = { ...profile, followers_count: 11, avatar_url };
    assert.equal(changesOf(profile, again, false), null);
    assert.deepEqual(changesOf(profile, again, true), { followers_count: [10, 11] });
    const other = { ...profile, avatar_url: 'https://a.cdn.example/v/2_n.jpg' };
    assert.deepEqual(Object.keys(changesOf(profile, other, false) ?? {}), ['avatar_url']);
    const hours = (open_now: boolean, ...weekday_text: string[]) => {
      return { opening_hours: { open_now, weekday_text } };
    };
    assert.equal(changesOf(hours(true, 'a'), hours(false, 'a'), true), null);
    assert.notEqual(changesOf(hours(true, 'a'), hours(true, 'b'), true), null);
  });

  test('holds for any object: nothing of itself, and what was before and after the other way round', () => {
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'like_count', 'url'), fc.jsonValue());
    fc.assert(
      fc.property(object, object, fc.boolean(), (before, after, counts) => {
        assert.equal(changesOf(before, structuredClone(before), counts), null);
        const there = changesOf(before, after, counts) ?? {};
        const back = changesOf(after, before, counts) ?? {};
        assert.deepEqual(Object.keys(there).sort(), Object.keys(back).sort());
        for (const [field, [one, other]] of Object.entries(there)) {
          assert.deepEqual(one, before[field] ?? null);
          assert.deepEqual(other, after[field] ?? null);
        }
      }),
    );
  });

  test('decides for every number and address of the table whether it changes by itself', () => {
    // What somebody sets, or what does not change any more: a change of these is news.
    const set =
      'rating price_level day hour busyness_percent lat lng founded page_count width height duration min max ' +
      '1 2 3 4 5 count website url profile_url company_url school_url permalink bio_url';
    const changing = [...volatileFields().keys()].map((field) => field.replace(/.*\./, ''));
    const decided = new Set([...set.split(' '), ...changing]);
    const undecided = new Set<string>();
    const look = (schema: z.ZodType, name: string): void => {
      const inner = bare(schema);
      if (inner instanceof z.ZodObject) {
        for (const [key, field] of Object.entries(inner.shape)) look(field as z.ZodType, key);
      } else if (inner instanceof z.ZodArray) look(inner.element as z.ZodType, name);
      else if ((inner instanceof z.ZodNumber || /_url$/.test(name)) && !decided.has(name))
        undecided.add(name);
    };
    for (const { returns } of endpoints) look(returns, '');
    assert.deepEqual([...undecided], []);
  });
});

describe('the name of an item', () => {
  test('without the platform’s own is the id among its fields, or what it holds without counts', () => {
    const reviewOf = (text: string, review_count: number, url: string) =>
      contentKey({ text, author: { name: 'Mira', review_count }, photos: [{ url }] });
    const key = reviewOf('Calm.', 3, 'https://c.example/1.jpg?s=1');
    assert.equal(reviewOf('Calm.', 4, 'https://d.example/1.jpg?s=2'), key);
    assert.notEqual(reviewOf('Loud.', 3, 'https://c.example/1.jpg?s=1'), key);
    assert.deepEqual([{ id: '1' }, { shortcode: 'a' }].map(contentKey), ['id:1', 'shortcode:a']);
    assert.deepEqual(stableValue({ video: { url: 'https://c.example/a/b.mp4?x' } }, false), {
      video: { url: 'b.mp4' },
    });
  });
});

/** What a reader gets who follows `readsOn` over a list in pages, and the pages it takes. */
function read(list: readonly number[], size: number, seenItems: ReadonlySet<number> | null, all: boolean) {
  const results: number[] = [];
  for (let page = 1; ; page += 1) {
    const items = list.slice((page - 1) * size, page * size);
    const isNew = items.map((item) => seenItems?.has(item) !== true);
    results.push(...items.filter((_, at) => isNew[at]));
    if (
      page * size >= list.length ||
      !readsOn({ before: (page - 1) * size, isNew }, { all, isKnown: seenItems !== null })
    )
      return { got: results, pages: page };
  }
}

describe('how far a list is read', () => {
  const old = Array.from({ length: 60 }, (_, at) => 60 - at);

  test('at first: one page, or with --all every page; later to the first page without news', () => {
    assert.equal(read(old, 12, null, false).pages, 1);
    assert.equal(read(old, 2, null, false).pages, 2);
    assert.equal(read(old, 12, null, true).pages, 5);
    const seenItems = new Set(old);
    const grown = [62, 61, ...old];
    assert.deepEqual(read(old, 12, seenItems, true), { got: [], pages: 1 });
    assert.deepEqual(read(grown, 12, seenItems, true), { got: [62, 61], pages: 2 });
    assert.deepEqual(read(grown, 12, seenItems, false), { got: [62, 61], pages: 1 });
  });

  test('past pinned items, however small the page', () => {
    const seenItems = new Set(old);
    for (const size of [1, 2, 3, 4, 12]) {
      const pinned = [3, 40, 7];
      const list = [...pinned, 64, 63, 62, 61, ...old.filter((item) => !pinned.includes(item))];
      for (const all of [true, false]) {
        const { got } = read(list, size, seenItems, all);
        assert.deepEqual(got, [64, 63, 62, 61], `${size} ${all}`);
      }
    }
  });

  test('whatever was deleted: nothing new is left out, nothing given comes again', () => {
    const numbers = fc.record({
      size: fc.integer({ min: 1, max: 8 }),
      added: fc.integer({ min: 0, max: 30 }),
      deleted: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 59 }),
      pinned: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: maxPinned }),
      all: fc.boolean(),
    });
    fc.assert(
      fc.property(numbers, ({ size, added, deleted, pinned, all }) => {
        const first = read(old, size, null, all);
        const seenItems = new Set(first.got);
        const news = Array.from({ length: added }, (_, at) => 60 + added - at);
        const hiddenItems = new Set([...deleted, ...pinned]);
        const list = [...pinned, ...news, ...old.filter((item) => !hiddenItems.has(item))];
        const { got } = read(list, size, seenItems, all);
        const isNews = (item: number) => item > 60;
        assert.deepEqual(got.filter(isNews), news);
        assert.ok(!got.some((item) => seenItems.has(item)));
      }),
    );
  });

  test('on over a page that holds nothing', () => {
    for (const all of [true, false])
      assert.equal(readsOn({ before: 12, isNew: [] }, { all, isKnown: true }), true);
  });
});
