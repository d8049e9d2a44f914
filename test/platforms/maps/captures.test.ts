import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { parseParams } from '../../../lib/params/parse.js';
import type {
  MapsPhoto,
  MapsPlace,
  MapsPlaceDetail,
  MapsReview,
} from '../../../lib/platforms/maps/objects.js';
import { photos } from '../../../lib/platforms/maps/photos.js';
import { place } from '../../../lib/platforms/maps/place.js';
import { places } from '../../../lib/platforms/maps/places.js';
import { reviews } from '../../../lib/platforms/maps/reviews.js';
import { ratingCountsOf } from '../../../lib/platforms/maps/routes/rating-counts.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';
import { withoutCaptures } from '../../support/replay.js';
import { sparse } from '../../support/sparse.js';

const skip = withoutCaptures();
const folder = path.join(packageRoot(), '..', 'shared', 'captures', 'maps');
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

const placeBody = (id: string, language: string, file: string): Route => ({
  pattern: `^https://www\\.google\\.com/maps/preview/place\\?authuser=0&hl=${language}&pb=!1m1!1s${encodeURIComponent(id)}!12m4`,
  file,
});
const wholeDay = { open: { day: 0, time: '0000' }, close: null };

describe('real place bodies', { skip }, () => {
  test('a restaurant in Greek, from a place_id', async () => {
    const route = placeBody(
      '0x14e732fd76f0d90d:0xe5415928d6702b47',
      'el',
      'gosom_place_kipriakon-limassol_2024-10_el.json',
    );
    const params = { place_id: 'ChIJDdnwdv0y5xQRRytw1ihZQeU', language: 'el' };
    const { data, seconds } = await read(place, params, route);
    const found = data as MapsPlaceDetail;
    assert.equal(found.name, 'Κυπριακόν');
    assert.deepEqual(found.categories, ['Εστιατόριο']);
    assert.equal(found.formatted_address, 'Old port, Λεμεσός 3042');
    assert.deepEqual([found.rating, found.user_ratings_total], [4.1, 516]);
    assert.deepEqual(found.rating_distribution, { '1': 59, '2': 25, '3': 34, '4': 75, '5': 323 });
    assert.deepEqual([found.phone, found.phone_numbers], ['25 101555', ['25 101555']]);
    assert.equal(found.opening_hours?.open_now, true);
    assert.deepEqual(
      found.opening_hours?.periods,
      [0, 1, 2, 3, 4, 5, 6].map((day) => ({ open: { day, time: '0900' }, close: { day, time: '2330' } })),
    );
    assert.match(found.opening_hours?.weekday_text[0] ?? '', /^Δευτέρα: 9:00/);
    assert.deepEqual(
      [found.business_status, found.price_level, found.is_claimed, found.website],
      ['OPERATIONAL', 2, true, null],
    );
    assert.deepEqual(
      found.popular_times?.map(({ day }) => day),
      [0, 1, 2, 3, 4, 5, 6],
    );
    assert.deepEqual(found.popular_times?.[0]?.hours[3], { hour: 9, busyness_percent: 10 });
    assert.equal(found.about?.length, 11);
    assert.equal(seconds, 86_400);
  });

  test('a bar that nobody has claimed, without hours of its own, from the address of its page', async () => {
    const id = '0x14e775b739165b35:0x7e80ca7641cd7953';
    const url = `https://www.google.com/maps/place/Island+Beach+Bar/@35.04,32.39,17z/data=!4m2!3m1!1s${id}`;
    const route = placeBody(id, 'en', 'gosom_place_island-beach-bar-latsi_unclaimed_no-hours.json');
    const found = (await read(place, { url }, route)).data as MapsPlaceDetail;
    assert.equal(found.place_id, 'ChIJNVsWObd15xQRU3nNQXbKgH4');
    assert.deepEqual([found.rating, found.user_ratings_total], [4.4, 504]);
    assert.deepEqual(found.rating_distribution, { '1': 27, '2': 10, '3': 30, '4': 108, '5': 329 });
    assert.deepEqual([found.is_claimed, found.opening_hours, found.business_status], [false, null, null]);
    assert.equal(found.formatted_address, '29RR+CPC, Λεοφόρος Ακάμαντος, Poli Crysochous');
    const options = found.about?.[0]?.attributes;
    assert.deepEqual(options?.at(-1), { name: 'Delivery', available: false });
    const amenities = found.about?.find(({ section }) => section === 'Amenities')?.attributes;
    assert.deepEqual(amenities?.at(-1), { name: 'Free Wi-Fi', available: true });
  });

  test('a pharmacy open around the clock, with a negative attribute', async () => {
    const id = '0x89c259ab2216e2e9:0x317f07e09aefcac';
    const route = placeBody(id, 'en', 'kit_place_trimmed_cvs-nyc_24h_2026-07_en-US.json');
    const found = (await read(place, { url: `https://www.google.com/maps?ftid=${id}` }, route))
      .data as MapsPlaceDetail;
    assert.equal(found.place_id, 'ChIJ6eIWIqtZwokRrPyuCX7wFwM');
    assert.deepEqual([found.rating, found.user_ratings_total, found.categories.length], [3.4, 387, 10]);
    assert.deepEqual(found.opening_hours?.periods, [wholeDay]);
    assert.equal(found.opening_hours?.weekday_text.length, 7);
    assert.equal(found.opening_hours?.weekday_text[6], 'Sunday: Open 24 hours');
    assert.equal(found.formatted_address, '1440 Broadway FLOORS 1 & 2, New York, NY 10018');
    const accessibility = found.about?.find(({ section }) => section === 'Accessibility');
    assert.deepEqual(accessibility?.attributes, [
      { name: 'Wheelchair accessible entrance', available: true },
      { name: 'Wheelchair accessible parking lot', available: false },
    ]);
    const payments = found.about?.find(({ section }) => section === 'Payments')?.attributes;
    assert.deepEqual(payments?.map(({ name }) => name).slice(-4), [
      'American Express',
      'Discover',
      'MasterCard',
      'VISA',
    ]);
  });

  test('a station without hours', async () => {
    const route = placeBody(
      '0x48761b3c5cbf139b:0x7be9c9cf71db38fb',
      'en',
      'kit_place_trimmed_kings-cross-london_no-hours_2026-07_en-GB.json',
    );
    const found = (await read(place, { place_id: 'ChIJmxO_XDwbdkgR-zjbcc_J6Xs' }, route))
      .data as MapsPlaceDetail;
    assert.deepEqual([found.rating, found.user_ratings_total], [4.4, 4246]);
    assert.deepEqual([found.opening_hours, found.business_status, found.phone], [null, null, null]);
    assert.equal(found.formatted_address, 'Euston Rd., London N1C 4AP');
  });
});

describe('a real search', { skip }, () => {
  const route: Route = {
    pattern: '^https://www\\.google\\.com/search\\?tbm=map',
    file: 'gosom_search_coffee-athens_2024-12_en.json',
  };

  test('of coffee in Athens finds twenty places', async () => {
    const { data, next, seconds } = await read(places, { query: 'coffee' }, route);
    const found = data as MapsPlace[];
    assert.equal(found.length, 20);
    assert.deepEqual(
      [found[0]?.name, found[0]?.rating, found[0]?.user_ratings_total, found[0]?.phone],
      ['Dream Coffee', 4.8, 48, '+30 21 0261 6578'],
    );
    assert.equal(found[0]?.opening_hours?.periods.length, 6);
    assert.deepEqual([found[7]?.name, found[7]?.opening_hours], ['Race Coffee', null]);
    assert.deepEqual(
      [found[14]?.name, found[14]?.rating, found[14]?.user_ratings_total, found[14]?.categories.length],
      ['NooK', 4.7, 1670, 5],
    );
    assert.deepEqual(found[14]?.opening_hours?.periods[0]?.close, { day: 1, time: '0000' });
    assert.deepEqual(Object.keys(found[0] ?? {}).length, 11);
    assert.deepEqual(next, { route: 'search', at: { offset: 20, skip: 0 } });
    assert.equal(seconds, 86_400);
  });

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
    const found = (await read(places, near, route)).data as MapsPlace[];
    assert.ok(found.length > 0 && found.length < 20);
    assert.ok(found.some(({ name }) => name === 'NooK'));
    assert.ok(!found.some(({ name }) => name === 'Chemex Specialty Coffee'));
  });

  test('with a thin row of the current layout gives it with nulls, and caches it briefly', async () => {
    const row = skip ? null : capture('kit_search_row_olive-street-bengaluru_2026-08_en-IN.json');
    const page: Route = { pattern: 'tbm=map', body: body(sparse([[64], [[null, row]]])) };
    const { data, seconds } = await read(places, { query: 'olive street' }, page);
    const [found] = data as MapsPlace[];
    assert.equal(found?.place_id, 'ChIJQ3bQq8UVrjsRaWFXJ7hwcv0');
    assert.deepEqual([found?.rating, found?.user_ratings_total, found?.opening_hours], [4.5, null, null]);
    assert.deepEqual([found?.business_status, found?.phone], ['OPERATIONAL', '095268 94116']);
    assert.equal(seconds, 300);
  });
});

test('the real counts of ratings', { skip }, () => {
  const { data } = skip
    ? { data: '' }
    : (capture('ezgpt_2026-07-31_aggregates_kake.json') as { data: string });
  const counts = { '1': 70, '2': 10, '3': 31, '4': 81, '5': 551 };
  assert.deepEqual(ratingCountsOf(JSON.parse(data), 4.4), {
    rating: 4.4,
    user_ratings_total: 743,
    rating_distribution: counts,
  });
  assert.throws(() => ratingCountsOf(JSON.parse(data), 4.1), { code: 'platform_changed' });
});

describe('real reviews', { skip }, () => {
  const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';

  test('of the current format', async () => {
    const route: Route = {
      pattern:
        '^https://www\\.google\\.com/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy\\?',
      file: 'kit_reviews_boq_trimmed-2-rows_bengaluru_2026-07.json',
    };
    // The capture names its place by the second number alone.
    const url = 'https://www.google.com/maps?ftid=0x1:0x9fe54cd44a84f1c7';
    const { data, next } = await read(reviews, { url }, route);
    const [first, second] = data as [MapsReview, MapsReview];
    assert.deepEqual(
      [first.rating, first.language, first.publish_time],
      [4, 'en', '2026-05-29T18:52:25.417Z'],
    );
    assert.match(
      first.text ?? '',
      /^Overall I would rate 4 star, definitely room to go to 5 star\.\nFirstly/,
    );
    assert.deepEqual(
      [first.author.name, first.author.is_local_guide, first.author.review_count],
      ['mohit ritolia', true, 80],
    );
    assert.deepEqual([second.author.is_local_guide, second.author.review_count], [false, 8]);
    assert.equal((next as { at: { token: string } }).at.token.length, 100);
  });

  test('of the older format, inside a place body', async () => {
    const closed: Route = { pattern: 'GetLocalBoqProxy', status: 403 };
    const file = 'gosom_place_kipriakon-limassol_2024-10_el.json';
    const { data, next } = await read(reviews, { place_id: placeId }, closed, {
      pattern: 'preview/place',
      file,
    });
    const found = data as MapsReview[];
    assert.equal(found.length, 8);
    assert.equal(next, null);
    assert.deepEqual(
      found.map(({ author }) => author.is_local_guide),
      [true, true, true, true, true, true, false, false],
    );
    assert.deepEqual(
      found.map(({ photos: pictures }) => pictures.length),
      [4, 1, 3, 4, 0, 1, 0, 0],
    );
    assert.deepEqual([found[0]?.photos[0]?.width, found[0]?.photos[0]?.height], [4080, 3072]);
    assert.equal(found[2]?.owner_response?.publish_time, '2024-07-10T12:18:03.000Z');
    assert.equal(found[0]?.publish_time, '2024-08-08T09:42:54.170Z');
  });

  for (const [file, id, expected] of [
    [
      'gosom_review-row_native_no_text_2026-05_de-en.json',
      '0x1:0x4fe4cdec96e220c1',
      [5, null, null, false, 6],
    ],
    [
      'gosom_review-row_native_no_translation_2026-05_de-en.json',
      '0x1:0xa73f342ed9222e57',
      [5, 'en', 'I had been', true, 46],
    ],
  ] as const) {
    test(`a single row: ${file}`, async () => {
      const rows = skip ? null : capture(file);
      const page = body(sparse([[6, 10], id], [[6, 175, 9, 0, 0], rows]));
      const routes: Route[] = [
        { pattern: 'GetLocalBoqProxy', status: 403 },
        { pattern: 'preview/place', body: page },
      ];
      const url = `https://www.google.com/maps?ftid=${id}`;
      const [found] = (await read(reviews, { url }, ...routes)).data as MapsReview[];
      const { rating, language, text = null, author } = found as MapsReview;
      const head = text?.slice(0, 10) ?? null;
      assert.deepEqual([rating, language, head, author.is_local_guide, author.review_count], expected);
    });
  }
});

describe('real photos', { skip }, () => {
  const params = { place_id: 'ChIJDdnwdv0y5xQRRytw1ihZQeU' };
  const tab = skip
    ? null
    : capture('kit_photos_place-preview-node105_trimmed-3-rows_kake-di-hatti_2026-07.json');
  const node = sparse([[6, 10], '0x14e732fd76f0d90d:0xe5415928d6702b47'], [[6, 105], tab]);
  const first: Route = { pattern: 'preview/place', body: body(node) };

  test('of the gallery inside a place body', async () => {
    const { data, next } = await read(photos, params, first);
    const found = data as MapsPhoto[];
    assert.deepEqual(
      found.map(({ width, height, uploader }) => [width, height, uploader]),
      [
        [1653, 2339, null],
        [2268, 4032, null],
        [1080, 1920, null],
      ],
    );
    assert.ok(found.every(({ url }) => /^https:\/\/lh3\.googleusercontent\.com\/gps-cs-s\/.+=s0$/.test(url)));
    const point = { lat: 12.9119566, lng: 77.6499831 };
    const at = { token: 'OPAQUE_TOKEN_NOT_TRANSCRIBED', skip: 0, before: 3, point, total: 461 };
    assert.deepEqual(next, { route: 'gallery', at });
  });

  test('that are withheld behind a token end for visitors', async () => {
    const page = skip ? null : capture('kit_photos_batch-page_no-rows_2026-07.json');
    const batch = JSON.stringify([['wrb.fr', 'hspqX', JSON.stringify(page), null, null, null, 'generic']]);
    const row = photos as unknown as Endpoint;
    const source = routeSource(folder, [{ pattern: 'batchexecute', body: `)]}'\n\n9\n${batch}\n` }]);
    const { data, next, ended } = await row.read({
      identity: row.identify(params),
      position: { token: 'OPAQUE_TOKEN', skip: 0, before: 3 },
      limit: 20,
      session: source.open(row.site),
    });
    assert.deepEqual([data, next, ended], [[], null, 'visitors']);
  });

  test('of a body of 2024, which has no gallery, are those beside it', async () => {
    const file = 'gosom_place_kipriakon-limassol_2024-10_el.json';
    const { data, seconds } = await read(photos, params, { pattern: 'preview/place', file });
    const found = data as MapsPhoto[];
    assert.equal(found.length, 5);
    assert.deepEqual([found[2]?.width, found[2]?.height], [4000, 3000]);
    assert.equal(seconds, 300);
  });
});
