import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { parseParams } from '../../../lib/params/parse.js';
import { photos } from '../../../lib/platforms/maps/photos.js';
import { place } from '../../../lib/platforms/maps/place.js';
import { places } from '../../../lib/platforms/maps/places.js';
import { reviews } from '../../../lib/platforms/maps/reviews.js';
import type { Json } from '../../../lib/read/json.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';
import { sparse } from '../../support/sparse.js';

const placeId = 'ChIJAQAAAAAAAAARAgAAAAAAAAA';
const data = (root: unknown) => `)]}'\n${JSON.stringify(root)}`;
const errorReport = data([['er', null, null, null, null, 404, null, null, null, 3]]);

function read(endpoint: unknown, params: Record<string, unknown>, position: Json, ...routes: Route[]) {
  const asked = endpoint as Endpoint;
  const identity = asked.identify(parseParams(asked, params));
  const at = { ...firstPosition, position };
  return fetchAnswer(
    { endpoint: asked, identity, position: at, limit: 20 },
    routeSource('.', routes),
    stoppedClock,
  );
}

const body: Route = { pattern: 'preview/place' };
const list: Route = { pattern: 'GetLocalBoqProxy' };
const page: Route = { pattern: 'maps\\?cid=2&' };

describe('a place', () => {
  const asked = { place_id: placeId };

  test('is not found where its body and its page say so', async () => {
    for (const missing of [{ status: 404 }, { body: errorReport }])
      for (const own of [{ status: 404 }, { body: '<html>' }])
        await assert.rejects(read(place, asked, null, { ...body, ...missing }, { ...page, ...own }), {
          code: 'place_not_found',
        });
  });

  test('is not missing where its page names it: the address of the body is gone', async () => {
    await assert.rejects(
      read(place, asked, null, { ...body, status: 404 }, { ...page, body: '<html>"0x1:0x2"' }),
      { code: 'platform_changed' },
    );
  });

  test('is not missing where its page is refused', async () => {
    await assert.rejects(read(place, asked, null, { ...body, status: 404 }, { ...page, status: 429 }), {
      code: 'platform_rate_limited',
    });
  });
});

describe('a list that is not found says nothing of a place:', () => {
  const asked = { place_id: placeId };

  for (const gone of [{ status: 404 }, { body: errorReport }]) {
    test(`reviews come from the place’s page, ${Object.keys(gone)[0]}`, async () => {
      const unreviewed = data(sparse([[6, 10], '0x1:0x2'], [[6, 11], 'Name'], [[6, 175], [1]]));
      const { answer } = await read(
        reviews,
        asked,
        null,
        { ...list, ...gone },
        { ...body, body: unreviewed },
      );
      assert.equal(answer.data, '[]');
      await assert.rejects(read(reviews, asked, null, { ...list, ...gone }, { ...body, status: 500 }), {
        code: 'platform_changed',
      });
      const missing = [
        { ...list, ...gone },
        { ...body, status: 404 },
        { ...page, status: 404 },
      ];
      await assert.rejects(read(reviews, asked, null, ...missing), { code: 'place_not_found' });
    });

    test(`further reviews, ${Object.keys(gone)[0]}`, async () => {
      await assert.rejects(read(reviews, asked, { token: 'T', skip: 0 }, { ...list, ...gone }), {
        code: 'platform_changed',
      });
    });

    test(`further photos, ${Object.keys(gone)[0]}`, async () => {
      const at = { token: 'P', skip: 0, before: 20, point: null };
      await assert.rejects(read(photos, asked, at, { pattern: 'batchexecute', ...gone }), {
        code: 'platform_changed',
      });
    });

    test(`a search, ${Object.keys(gone)[0]}`, async () => {
      await assert.rejects(read(places, { query: 'x' }, null, { pattern: '.', ...gone }), {
        code: 'platform_changed',
      });
    });
  }
});
