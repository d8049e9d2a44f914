import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { parseParams } from '../../../lib/params/parse.js';
import { photos } from '../../../lib/platforms/maps/photos.js';
import { place } from '../../../lib/platforms/maps/place.js';
import { places } from '../../../lib/platforms/maps/places.js';
import { galleryCall } from '../../../lib/platforms/maps/requests.js';
import { reviews } from '../../../lib/platforms/maps/reviews.js';
import type { Json } from '../../../lib/read/json.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';
import { sparse } from '../../support/sparse.js';

const placeId = 'ChIJAQAAAAAAAAARAgAAAAAAAAA';
const data = (root: unknown) => `)]}'\n${JSON.stringify(root)}`;
const errorReport = data([['er', null, null, null, null, 404, null, null, null, 3]]);

function read(endpoint: unknown, params: Record<string, unknown>, position: Json, ...routes: Route[]) {
  const target = endpoint as Endpoint;
  const identity = target.identify(parseParams(target, params));
  const at = { ...firstPosition, position };
  return fetchAnswer(
    { endpoint: target, identity, position: at, limit: 20 },
    routeSource('.', routes),
    stoppedClock,
  );
}

const body: Route = { pattern: 'preview/place' };
const list: Route = { pattern: 'GetLocalBoqProxy' };
const page: Route = { pattern: 'maps\\?cid=2&' };

describe('a place', () => {
  const params = { place_id: placeId };

  test('is not found where its body and its page say so', async () => {
    for (const missing of [{ status: 404 }, { body: errorReport }])
      for (const answer of [{ status: 404 }, { body: '<html>' }])
        await assert.rejects(read(place, params, null, { ...body, ...missing }, { ...page, ...answer }), {
          code: 'place_not_found',
        });
  });

  test('is not missing where its page names it: the address of the body is gone', async () => {
    await assert.rejects(
      read(place, params, null, { ...body, status: 404 }, { ...page, body: '<html>"0x1:0x2"' }),
      { code: 'platform_changed' },
    );
  });

  test('is not missing where its page is refused', async () => {
    for (const [status, code] of [
      [429, 'platform_rate_limited'],
      [403, 'platform_blocked'],
      [500, 'platform_unavailable'],
    ] as const)
      await assert.rejects(read(place, params, null, { ...body, status: 404 }, { ...page, status }), {
        code,
      });
  });
});

describe('further photos that do not come', () => {
  const params = { place_id: placeId };
  const batch = (rows: unknown, token: string | null) => ({
    pattern: 'batchexecute',
    body: `)]}'\n\n100\n${JSON.stringify([['wrb.fr', galleryCall, JSON.stringify([rows, null, null, null, null, token]), null, null, null, 'generic']])}`,
  });
  const at = (before: number, total: number | null) => ({ token: 'P', skip: 0, before, point: null, total });

  test('end it for visitors where the gallery counts many more', async () => {
    const { answer } = await read(photos, params, at(20, 6240), batch([], 'Q'));
    assert.deepEqual([answer.data, answer.next, answer.coverage?.ended], ['[]', null, 'visitors']);
  });

  test('are the end near the number of the gallery, which counts what is left out, too', async () => {
    for (const [before, total] of [
      [60, 62],
      [20, null],
    ] as const)
      assert.equal((await read(photos, params, at(before, total), batch([], 'Q'))).answer.data, '[]');
  });
});

describe('a list that is not found says nothing of a place:', () => {
  const params = { place_id: placeId };

  for (const missingPage of [{ status: 404 }, { body: errorReport }]) {
    test(`reviews come from the place’s page, ${Object.keys(missingPage)[0]}`, async () => {
      const unreviewed = data(sparse({ '6.10': '0x1:0x2', '6.11': 'Name', '6.175': [1] }));
      const { answer } = await read(
        reviews,
        params,
        null,
        { ...list, ...missingPage },
        { ...body, body: unreviewed },
      );
      assert.equal(answer.data, '[]');
      await assert.rejects(
        read(reviews, params, null, { ...list, ...missingPage }, { ...body, status: 500 }),
        { code: 'platform_changed' },
      );
      const missing = [
        { ...list, ...missingPage },
        { ...body, status: 404 },
        { ...page, status: 404 },
      ];
      await assert.rejects(read(reviews, params, null, ...missing), { code: 'place_not_found' });
    });

    test(`further reviews, ${Object.keys(missingPage)[0]}`, async () => {
      await assert.rejects(read(reviews, params, { token: 'T', skip: 0 }, { ...list, ...missingPage }), {
        code: 'platform_changed',
      });
    });

    test(`further photos, ${Object.keys(missingPage)[0]}`, async () => {
      const at = { token: 'P', skip: 0, before: 20, point: null };
      await assert.rejects(read(photos, params, at, { pattern: 'batchexecute', ...missingPage }), {
        code: 'platform_changed',
      });
    });

    test(`a search, ${Object.keys(missingPage)[0]}`, async () => {
      await assert.rejects(read(places, { query: 'x' }, null, { pattern: '.', ...missingPage }), {
        code: 'platform_changed',
      });
    });
  }
});
