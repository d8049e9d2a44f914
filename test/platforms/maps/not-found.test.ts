import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { photos } from '../../../lib/platforms/maps/photos.js';
import { place } from '../../../lib/platforms/maps/place.js';
import { places } from '../../../lib/platforms/maps/places.js';
import { galleryCall } from '../../../lib/platforms/maps/requests.js';
import { reviews } from '../../../lib/platforms/maps/reviews.js';
import type { Json } from '../../../lib/read/json.js';
import type { Route } from '../../../lib/web/routes.js';
import { rejectedCode } from '../../support/error-code.js';
import { readRoutes } from '../../support/read-routes.js';
import { sparse } from '../../support/sparse.js';

const placeId = 'ChIJAQAAAAAAAAARAgAAAAAAAAA';
const data = (root: unknown) => `)]}'\n${JSON.stringify(root)}`;
const errorReport = data([['er', null, null, null, null, 404, null, null, null, 3]]);

const listings = { photos, place, places, reviews };

/** Reads a list from a position in these routes. */
const read = (name: keyof typeof listings, position: Json, ...routes: Route[]) =>
  readRoutes(listings[name], name === 'places' ? { query: 'x' } : { place_id: placeId }, routes, {
    position,
  });
const codeOf = (...call: Parameters<typeof read>) => rejectedCode(read(...call));

const body: Route = { pattern: 'preview/place' };
const list: Route = { pattern: 'GetLocalBoqProxy' };
const page: Route = { pattern: 'maps\\?cid=2&' };
const gone = { 'status 404': { status: 404 }, 'an error report': { body: errorReport } };

describe('a place', () => {
  for (const [name, missing] of Object.entries(gone))
    for (const answer of [{ status: 404 }, { body: '<html>' }])
      test(`is not found by ${name} of its data, and its page ${JSON.stringify(answer)}`, async () => {
        assert.equal(
          await codeOf('place', null, { ...body, ...missing }, { ...page, ...answer }),
          'place_not_found',
        );
      });

  for (const [name, answer, code] of [
    ['names it, because the data has another address', { body: '<html>"0x1:0x2"' }, 'platform_changed'],
    ['is limited', { status: 429 }, 'platform_rate_limited'],
    ['is blocked', { status: 403 }, 'platform_blocked'],
    ['fails', { status: 500 }, 'platform_unavailable'],
  ] as const) {
    test(`is not missing if its page ${name}`, async () => {
      assert.equal(await codeOf('place', null, { ...body, status: 404 }, { ...page, ...answer }), code);
    });
  }
});

describe('a later page without photos', () => {
  const nothing = JSON.stringify([[], null, null, null, null, 'Q']);
  const empty = {
    pattern: 'batchexecute',
    body: `)]}'\n\n100\n${JSON.stringify([['wrb.fr', galleryCall, nothing, null, null, null, 'generic']])}`,
  };
  for (const [before, total, ended] of [
    [20, 6240, 'visitors'],
    [60, 62, 'unknown'],
    [20, null, 'unknown'],
  ] as const) {
    test(`after ${before} of ${total} ends the gallery with “${ended}”`, async () => {
      const answer = await read('photos', { token: 'P', skip: 0, before, point: null, total }, empty);
      assert.deepEqual([answer.data, answer.next, answer.ended], [[], null, ended]);
    });
  }
});

describe('a list that is not found does not prove the place missing', () => {
  for (const [name, missingPage] of Object.entries(gone)) {
    const missing = { ...list, ...missingPage };

    test(`reviews come from the place’s page after ${name}`, async () => {
      const unreviewed = data(sparse({ '6.10': '0x1:0x2', '6.11': 'Name', '6.175': [1] }));
      assert.deepEqual((await read('reviews', null, missing, { ...body, body: unreviewed })).data, []);
      assert.equal(await codeOf('reviews', null, missing, { ...body, status: 500 }), 'platform_changed');
      const all = [missing, { ...body, status: 404 }, { ...page, status: 404 }];
      assert.equal(await codeOf('reviews', null, ...all), 'place_not_found');
    });

    for (const [what, listing, position, route] of [
      ['further reviews', 'reviews', { token: 'T', skip: 0 }, list],
      [
        'further photos',
        'photos',
        { token: 'P', skip: 0, before: 20, point: null },
        { pattern: 'batchexecute' },
      ],
      ['places of a search', 'places', null, { pattern: '.' }],
    ] as const) {
      test(`${what} are platform_changed after ${name}`, async () => {
        assert.equal(await codeOf(listing, position, { ...route, ...missingPage }), 'platform_changed');
      });
    }
  }
});
