import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedEntries } from '../../../src/files/history/feed-entries.js';
import type { Change } from '../../../src/lines/memory/history.js';

const change = (number: number, more: Partial<Change> = {}): Change => ({
  ...{ number, event: 'changed', object: 'photosocial_profile', id: 'mira', url: null, subject: 'mira' },
  ...{ endpoint: 'photosocial/profile', field: 'followers_count', before: 100, after: 113_000 },
  ...{
    fetched_at: '2026-01-01T00:00:00.000Z',
    run: 'run-1',
    item: { name: 'Mira  Kettle', followers_count: 113_000 },
  },
  ...more,
});

test('the changes of an item in one run are one entry with a stable ID', () => {
  const biography = change(2, { field: 'biography', before: null, after: 'Harbour' });
  const [entry, ...others] = feedEntries('feed', [biography, change(1)]);
  assert.deepEqual(others, []);
  assert.equal(entry?.title, 'Mira Kettle: followers_count 100 → 113,000, and 1 more');
  assert.equal(entry?.text, 'followers_count 100 → 113,000\nbiography unknown → Harbour');
  assert.deepEqual(entry?.tags, ['photosocial/profile', 'mira']);
  const later = feedEntries('feed', [change(3, { run: 'run-2' }), biography, change(1)]);
  assert.equal(later.length, 2);
  assert.equal(later[1]?.id, entry?.id);
  assert.notEqual(feedEntries('other feed', [change(1)])[0]?.id, feedEntries('feed', [change(1)])[0]?.id);
});

test('the title has the change of an item, and the text its fields', () => {
  const titles = (['first', 'new', 'removed', 'returned'] as const).map((event) => {
    const item = {
      shortcode: 'b',
      caption: 'Bread\nat dawn',
      like_count: 1_200,
      media_url: 'https://x.example',
    };
    const [entry] = feedEntries('feed', [change(1, { event, field: null, id: 'b', item })]);
    assert.equal(entry?.text, 'shortcode: b\ncaption: Bread\nat dawn\nlike_count: 1,200');
    return entry?.title;
  });
  assert.deepEqual(titles, [
    'Bread at dawn',
    'New: Bread at dawn',
    'Removed: Bread at dawn',
    'Back: Bread at dawn',
  ]);
  const [nameless] = feedEntries('feed', [change(1, { event: 'new', field: null, id: 'b', item: {} })]);
  assert.deepEqual([nameless?.title, nameless?.text], ['New: b', 'b']);
});
