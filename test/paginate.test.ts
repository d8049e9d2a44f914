import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Envelope } from '../lib/call/envelope.js';
import { getPlaceReviews } from '../lib/endpoints.js';
import { paginate } from '../lib/paginate.js';

const params = { place_id: 'ChIJN1t_tDeuEmsRUsoyG83frY4', demo: true, limit: 2 };

test('a listing is walked page by page, and item by item', async () => {
  const pages = [];
  for await (const page of paginate(getPlaceReviews, { ...params, sources: true as const })) {
    assert.equal(page.sources.length, page.data.length);
    pages.push(page.data);
  }
  assert.ok(pages.length > 1);
  const items = [];
  for await (const review of paginate(getPlaceReviews, params).items()) items.push(review);
  assert.deepEqual(items, pages.flat());
});

test('items continue where the pages stopped, and leaving them ends the list', async () => {
  let calls = 0;
  const list = async ({ cursor = '0' }: { cursor?: string }): Promise<Envelope<number[]>> => {
    calls += 1;
    const at = Number(cursor);
    return { data: [at, at + 0.5], meta: { next_cursor: String((at + 1) % 3) } } as never;
  };
  const pages = paginate(list, {});
  await pages.next();
  const items = pages.items();
  assert.equal((await items.next()).value, 1);
  await items.return();
  assert.deepEqual([await pages.next(), calls], [{ value: undefined, done: true }, 2]);
  const all = [];
  for await (const item of paginate(list, {}).items()) all.push(item);
  assert.equal(all.length, 8, 'a cursor that came before ends it');
});
