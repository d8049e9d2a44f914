import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { parseParams } from '../../../lib/params/parse.js';
import { photos } from '../../../lib/platforms/maps/photos.js';
import { place } from '../../../lib/platforms/maps/place.js';
import { places } from '../../../lib/platforms/maps/places.js';
import { reviews } from '../../../lib/platforms/maps/reviews.js';

const identify = (endpoint: Endpoint, params: Record<string, unknown>) =>
  endpoint.identify(parseParams(endpoint, params));
const search = (params: Record<string, unknown>) =>
  identify(places as Endpoint, { query: 'coffee', ...params });
const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
const url = 'https://www.google.com/maps?ftid=0x14e732fd76f0d90d:0xe5415928d6702b47';

describe('the identity of a call', () => {
  test('is the same by a place_id and by a URL of the place', () => {
    for (const endpoint of [place, reviews, photos] as Endpoint[]) {
      assert.deepEqual(identify(endpoint, { place_id: placeId }), identify(endpoint, { url }), endpoint.path);
    }
  });

  test('differs by language, and has the order of reviews', () => {
    assert.notDeepEqual(
      identify(place as Endpoint, { place_id: placeId }),
      identify(place as Endpoint, { place_id: placeId, language: 'EL' }),
    );
    assert.deepEqual(identify(reviews as Endpoint, { place_id: placeId }), {
      place: { id: placeId },
      sort: 'relevant',
    });
  });

  test('of a search is its words, area, country and language', () => {
    assert.deepEqual(search({ query: '  coffee \n  cake ', country: 'AT', language: 'DE', lat: 1, lng: 2 }), {
      query: 'coffee cake',
      area: { lat: 1, lng: 2, radius: 5000 },
      country: 'at',
      language: 'de',
    });
    assert.deepEqual(search({}), { query: 'coffee', area: null, country: null, language: 'en' });
  });

  test('does not depend on a radius without a point', () => {
    assert.deepEqual(search({ radius_m: 100 }), search({ radius_m: 50_000 }));
  });

  test('needs both coordinates of a point, and says which is missing', () => {
    assert.throws(() => search({ lat: 0 }), { code: 'missing_parameter', message: /lat requires lng/ });
    assert.throws(() => search({ lng: 0 }), { code: 'missing_parameter', message: /lng requires lat/ });
    assert.deepEqual(search({ lat: 0, lng: 0 }).area, { lat: 0, lng: 0, radius: 5000 });
  });

  for (const params of [
    ...[{ lat: 90.5, lng: 0 }, { lat: 0, lng: -181 }, { radius_m: 99 }, { radius_m: 50_001 }],
    ...[{ country: 'aut' }, { language: 'zh-CN' }, { query: ' ' }, { limit: 21 }, { query: 'a\ud800b' }],
  ]) {
    test(`is refused for ${JSON.stringify(params)}`, () =>
      assert.throws(() => search(params), { code: 'invalid_parameter' }));
  }
});
