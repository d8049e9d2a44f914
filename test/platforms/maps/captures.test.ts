import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { parseParams } from '../../../lib/params/parse.js';
import type { MapsPlace, MapsReview } from '../../../lib/platforms/maps/objects.js';
import { places } from '../../../lib/platforms/maps/places.js';
import { reviews } from '../../../lib/platforms/maps/reviews.js';
import { ratingCountsOf } from '../../../lib/platforms/maps/routes/rating-counts.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';
import { sparse } from '../../support/sparse.js';

const folder = path.join(packageRoot(), '..', 'shared', 'captures', 'maps');
const skip = existsSync(folder) ? false : 'the real captures are not beside this checkout';
const capture = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
const body = (root: unknown) => `)]}'\n${JSON.stringify(root)}`;

/** The first page of what an endpoint makes of routes. */
async function read(endpoint: unknown, params: Record<string, unknown>, ...routes: readonly Route[]) {
  const row = endpoint as Endpoint;
  const checked = parseParams(row, params);
  const question = {
    endpoint: row,
    identity: row.identify(checked),
    position: firstPosition,
    limit: typeof checked.limit === 'number' ? checked.limit : 1,
  };
  const { answer, seconds } = await fetchAnswer(question, routeSource(folder, routes), stoppedClock);
  return { data: JSON.parse(answer.data) as unknown, next: answer.next, seconds };
}

describe('a real search', { skip }, () => {
  const route: Route = {
    pattern: '^https://www\\.google\\.com/search\\?tbm=map',
    file: 'gosom_search_coffee-athens_2024-12_en.json',
  };

  test('for a station finds it, and not its departures', async () => {
    const file = 'search_2025-11_11th-st-station_en.txt';
    const query = '11th st subway station in Philadelphia 19107';
    const { data } = await read(places, { query }, { pattern: 'tbm=map', file });
    assert.deepEqual(
      (data as MapsPlace[]).map(({ name, place_id }) => [name, place_id]),
      [['11th St', 'ChIJFfxPECnGxokR6LQPxPHgHW8']],
    );
  });

  test('within 600 metres of a point keeps only those that are', async () => {
    const near = { query: 'coffee', lat: 38.03, lng: 23.7084667, radius_m: 600 };
    const items = (await read(places, near, route)).data as MapsPlace[];
    assert.ok(items.length > 0 && items.length < 20);
    assert.ok(items.some(({ name }) => name === 'NooK'));
    assert.ok(!items.some(({ name }) => name === 'Chemex Specialty Coffee'));
  });
});

test('the real counts of ratings', { skip }, () => {
  const { data } = capture('ezgpt_2026-07-31_aggregates_kake.json') as { data: string };
  const counts = { '1': 70, '2': 10, '3': 31, '4': 81, '5': 551 };
  assert.deepEqual(ratingCountsOf(JSON.parse(data), 4.4), {
    rating: 4.4,
    user_ratings_total: 743,
    rating_distribution: counts,
  });
  assert.throws(() => ratingCountsOf(JSON.parse(data), 4.1), { code: 'platform_changed' });
});

describe('real reviews', { skip }, () => {
  for (const [lacking, id, expected] of [
    ['text', '0x1:0x4fe4cdec96e220c1', [5, null, null, false, 6]],
    ['translation', '0x1:0xa73f342ed9222e57', [5, 'en', 'I had been', true, 46]],
  ] as const) {
    test(`a single row without ${lacking}`, async () => {
      const rows = capture(`gosom_review-row_native_no_${lacking}_2026-05_de-en.json`);
      const page = body(sparse({ '6.10': id, '6.175.9.0.0': rows }));
      const routes: Route[] = [
        { pattern: 'GetLocalBoqProxy', status: 403 },
        { pattern: 'preview/place', body: page },
      ];
      const url = `https://www.google.com/maps?ftid=${id}`;
      const [review] = (await read(reviews, { url }, ...routes)).data as MapsReview[];
      const { rating, language, text = null, author } = review as MapsReview;
      const head = text?.slice(0, 10) ?? null;
      assert.deepEqual([rating, language, head, author.is_local_guide, author.review_count], expected);
    });
  }
});
