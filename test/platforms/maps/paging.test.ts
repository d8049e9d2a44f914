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
import type { PageSource } from '../../../lib/web/page-source.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';
import { type Places, sparse } from '../../support/sparse.js';

const placeId = 'ChIJAQAAAAAAAAARAgAAAAAAAAA';
const fid = '0x1:0x2';
const data = (root: unknown) => `)]}'\n${JSON.stringify(root)}`;

const listings = { photos, place, places, reviews } as unknown as Record<string, Endpoint>;
type Listing = 'photos' | 'place' | 'places' | 'reviews';

/** A source that records its requests. */
function counted(...routes: readonly Route[]): { pages: PageSource; requests: string[] } {
  const inner = routeSource('.', routes);
  const requests: string[] = [];
  const open: PageSource['open'] = (site, signal) => {
    const session = inner.open(site, signal);
    const fetch: typeof session.fetch = (request) => {
      requests.push(request.url);
      return session.fetch(request);
    };
    return { fetch, cookie: (url, name) => session.cookie(url, name), end: () => undefined };
  };
  return { requests, pages: { open, close: () => inner.close() } };
}

/** Every page of a listing, with the limits taken in turn. */
async function walk(
  listing: Listing,
  pages: PageSource | Route[],
  limits: number[] = [20],
  params: object = {},
) {
  const endpoint = listings[listing] as Endpoint;
  const subject = listing === 'places' ? { query: 'x' } : { place_id: placeId };
  const identity = endpoint.identify(parseParams(endpoint, { ...subject, ...params }));
  const source = Array.isArray(pages) ? routeSource('.', pages) : pages;
  const answers: { data: unknown[]; seconds: number }[] = [];
  let position = firstPosition;
  for (let turn = 0; turn < 60; turn += 1) {
    const limit = limits[Math.min(turn, limits.length - 1)] ?? 20;
    const { answer, seconds } = await fetchAnswer(
      { endpoint, identity, position, limit },
      source,
      stoppedClock,
    );
    answers.push({ data: [JSON.parse(answer.data)].flat(), seconds });
    if (answer.next === null) return answers;
    position = { position: answer.next as Json, seen: [...position.seen, ...answer.prints] };
  }
  throw new Error('the listing does not end');
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);
/** The numbers of a list’s items, from their texts, URLs or names. */
const given = (answers: readonly { data: unknown[] }[]) =>
  answers.flatMap(({ data: items }) =>
    items.map((item) => {
      const { text, url, name } = item as { text?: string; url?: string; name?: string };
      return Number(/\d+/.exec(text ?? url?.slice(url.indexOf('/p/')) ?? name ?? '')?.[0]);
    }),
  );
const ratingsOf = (answer: { data: unknown[] } | undefined) =>
  (answer?.data[0] as { user_ratings_total: number | null } | undefined)?.user_ratings_total;
const walked = async (...call: Parameters<typeof walk>) => given(await walk(...call));

const review = (id: number) =>
  sparse({
    1: 5,
    '2.2': String(1780000000000 + id),
    3: ['Mira'],
    5: `review-${id}`,
    12: 'https://www.google.com/maps/reviews/data=!4m8!2m1!1s0x0:0x2',
    27: `text ${id}`,
  });
const reviewPage = (from: number, to: number, token: string | null) =>
  data(
    sparse({ '1.10.2': Array.from({ length: to - from }, (_, at) => review(from + at)), '1.10.6': token }),
  );
const encoded = (token: string) => encodeURIComponent(`,"${token}",`);
const reviewRoute = (token: string, ...page: Parameters<typeof reviewPage>): Route => ({
  pattern: encoded(token),
  body: reviewPage(...page),
});

describe('reviews', () => {
  const routes = [
    reviewRoute('T2', 20, 24, null),
    reviewRoute('T1', 10, 20, 'T2'),
    reviewRoute('', 0, 10, 'T1'),
  ];

  for (const limits of [[20], [1], [3], [7], [10], [19], [4, 20], [20, 3], [15, 5, 1, 20]]) {
    test(`come once each in order with limits of ${limits}`, async () => {
      const answers = await walk('reviews', routes, limits);
      assert.deepEqual(given(answers), numbers(24));
      for (const [turn, { data: items }] of answers.entries())
        assert.ok(items.length <= (limits[Math.min(turn, limits.length - 1)] ?? 0));
    });
  }

  for (const limits of [[20], [7], [19, 20], [10, 20]]) {
    test(`all come from pages of sixty with limits of ${limits}`, async () => {
      const sixty = [reviewRoute('T1', 60, 110, null), reviewRoute('', 0, 60, 'T1')];
      assert.deepEqual(await walked('reviews', sixty, limits), numbers(110));
    });
  }

  test('end if the platform returns the same page again', async () => {
    const same = [{ pattern: 'GetLocalBoqProxy', body: reviewPage(0, 10, 'T1') }];
    assert.deepEqual(await walked('reviews', same), numbers(10));
  });

  test('are not repeated if pages overlap', async () => {
    const overlapping = [reviewRoute('T1', 5, 24, null), reviewRoute('', 0, 10, 'T1')];
    assert.deepEqual(await walked('reviews', overlapping), numbers(24));
  });

  const placeOf = (ratings: number | null): Route => ({
    pattern: 'preview/place',
    body: data(sparse({ '6.10': fid, '6.4.7': 4, '6.4.8': ratings, '6.175': [1] })),
  });
  /** Why the listing ends, and what the place counts, after all its parts. */
  const endOf = async (routes: Route[], sort: string, start: Json = null) => {
    const identity = reviews.identify({ place_id: placeId, sort } as never);
    const session = routeSource('.', routes).open(reviews.site);
    let count = 0;
    for (let position = start; ; ) {
      const part = await (reviews as Endpoint).read({ identity, limit: 20, position, session });
      count += (part.data as unknown[]).length;
      if ((part.next ?? null) === null) return [count, part.ended, part.total];
      position = part.next as Json;
    }
  };

  for (const [name, routes] of [
    ['a later page without rows and token', [reviewRoute('T1', 0, 0, null), reviewRoute('', 0, 10, 'T1')]],
    ['a first page that is full and has no token', [reviewRoute('', 0, 10, null)]],
  ] as const) {
    for (const [ratings, sort, ended] of [
      [10, 'newest', 'end'],
      [20, 'relevant', 'end'],
      [21, 'newest', 'unknown'],
      [4604, 'relevant', 'unknown'],
      [null, 'relevant', 'unknown'],
    ] as const) {
      test(`${sort} first, end at ${name} with “${ended}” if the place counts ${ratings}`, async () => {
        assert.deepEqual(await endOf([...routes, placeOf(ratings)], sort), [10, ended, ratings]);
      });
    }

    test(`end at ${name} with “unknown” if the place is refused`, async () => {
      const failing = [...routes, { pattern: 'preview/place', status: 503 }];
      assert.deepEqual(await endOf(failing, 'newest'), [10, 'unknown', null]);
      assert.deepEqual(await walked('reviews', failing, [7, 3, 20]), numbers(10));
    });
  }

  for (const [count, sort, ended] of [
    [780, 'relevant', 'visitors'],
    [390, 'relevant', 'unknown'],
    [780, 'newest', 'unknown'],
    [4600, 'newest', 'end'],
  ] as const) {
    test(`${sort} first, end after ${count} of 4604 with “${ended}”`, async () => {
      const routes = [reviewRoute('T1', 0, 0, null), placeOf(4604)];
      assert.deepEqual(await endOf(routes, sort, { token: 'T1', skip: 0, given: count }), [0, ended, 4604]);
    });
  }

  test('of a later page never come from the place body', async () => {
    const broken = [{ pattern: encoded('T1'), body: data([null, [null]]) }, reviewRoute('', 0, 10, 'T1')];
    await assert.rejects(walk('reviews', broken), { code: 'platform_changed' });
  });

  for (const sort of ['newest', 'relevant']) {
    test(`do not come from the place body if their list is refused: ${sort}`, async () => {
      const routes = [{ pattern: 'GetLocalBoqProxy', status: 403 }, placeOf(9)];
      await assert.rejects(walk('reviews', routes, [20], { sort }), { code: 'platform_blocked' });
    });
  }

  test('are refused like their list if the place’s page fails, too', async () => {
    const frameless = { pattern: 'GetLocalBoqProxy', body: data([null, [null]]) };
    for (const second of [{ status: 500 }, { status: 429 }, { body: data([null]) }])
      await assert.rejects(walk('reviews', [frameless, { pattern: 'preview/place', ...second }]), {
        code: 'platform_changed',
        message: /frame for reviews/,
      });
  });

  test('are platform_changed if the token is too long for a cursor', async () => {
    const routes = [{ pattern: '.', body: reviewPage(0, 1, 'x'.repeat(1501)) }];
    await assert.rejects(walk('reviews', routes), { code: 'platform_changed' });
  });

  for (const [limit, size] of [
    [10, 10],
    [11, 60],
  ]) {
    test(`are requested ${size} at a time with a limit of ${limit}`, async () => {
      const { pages, requests } = counted({ pattern: '.', body: reviewPage(0, 5, null) });
      await walk('reviews', pages, [limit as number]);
      assert.match(decodeURIComponent(requests[0] ?? ''), new RegExp(`,${size},null,\\["0x1:0x2"\\]`));
    });
  }
});

const photo = (id: number) =>
  sparse({ 0: `photo-${id}`, 1: 10, 6: [`https://lh3.googleusercontent.com/p/${id}=w1-h1`, null, [4, 3]] });
const photoRows = (from: number, to: number) => numbers(to - from, from).map(photo);
const gallery = (rows: unknown, total: number | null, token: string | null): Route => ({
  pattern: 'preview/place',
  body: data(sparse({ '6.10': fid, '6.105': [[[[2]], [rows, total, null, null, null, token]]] })),
});
const batchOf = (call: string, value: unknown) =>
  `)]}'\n\n9\n${JSON.stringify([['wrb.fr', call, JSON.stringify(value), null, null, null, 'generic']])}\n`;
const more = (rows: unknown, total: number | null, token: string, requestBody = ''): Route => ({
  pattern: 'batchexecute',
  requestBody,
  body: batchOf('hspqX', [rows, total, null, null, null, token]),
});

/** Why a part of the gallery is the last one. */
async function endOfPhotos(routes: Route[], position: Json) {
  const session = routeSource('.', routes).open(photos.site);
  const identity = photos.identify({ place_id: placeId });
  const part = await (photos as Endpoint).read({ identity, limit: 20, position, session });
  assert.equal(part.next, null);
  return [(part.data as unknown[]).length, part.ended, part.total];
}

describe('photos', () => {
  for (const [total, ended] of [
    [null, 'unknown'],
    [3, 'end'],
    [6, 'unknown'],
    [7, 'visitors'],
  ] as const) {
    test(`end after three without a token with “${ended}” if the gallery counts ${total}`, async () => {
      const routes = [gallery(photoRows(0, 3), total, null)];
      for (const limits of [[20], [2]]) assert.deepEqual(await walked('photos', routes, limits), numbers(3));
      assert.deepEqual(await endOfPhotos(routes, null), [3, ended, total]);
    });
  }

  const first = gallery(photoRows(0, 20), 45, 'P1');
  const routes = [first, more(photoRows(20, 40), 45, 'P2', 'P1'), more(photoRows(40, 45), 45, 'P3', 'P2')];

  for (const limits of [[20], [1], [7], [20, 6], [3, 20]]) {
    test(`come once each in order with limits of ${limits}`, async () => {
      assert.deepEqual(await walked('photos', routes, limits), numbers(45));
    });
  }

  test('of another place are refused as a later page', async () => {
    const at = (lat: number) =>
      photoRows(0, 2).map((row) => Object.assign([...row], { 8: [[3, 15.4, lat]] }));
    const site = (lat: number) => [gallery(at(47), 4, 'P1'), more(at(lat), 4, 'P2')];
    await walk('photos', site(47.001));
    await assert.rejects(walk('photos', site(48)), { code: 'platform_changed', message: /another place/ });
  });

  test('end at the gallery’s size without a further request', async () => {
    const { pages, requests } = counted(...routes);
    await walk('photos', pages);
    assert.equal(requests.length, 3);
  });

  test('end with a repeated page, because the token never ends', async () => {
    const repeated = [gallery(photoRows(0, 20), null, 'P1'), more(photoRows(10, 20), null, 'P9')];
    assert.deepEqual(await walked('photos', repeated), numbers(20));
  });

  for (const [total, token] of [
    [45, null],
    [null, 'P1'],
    [45, 'P1'],
  ] as const) {
    test(`are withheld, not an empty list, with a count of ${total} and the token ${token}`, async () => {
      await assert.rejects(walk('photos', [gallery(null, total, token)]), { code: 'platform_restricted' });
    });
  }

  test('end for visitors if the platform withholds the next page', async () => {
    const withheld = [first, more(null, null, 'P2')];
    assert.deepEqual(await walked('photos', withheld), numbers(20));
    const position = { token: 'P1', skip: 0, before: 20, point: null, total: 45 };
    assert.deepEqual(await endOfPhotos(withheld, position), [0, 'visitors', 45]);
  });
});

const row = (id: number, places: Places = {}) =>
  sparse({
    '1.10': `0x1:0x${(id + 1).toString(16)}`,
    '1.11': `Place ${id}`,
    '1.9': [null, null, 0, id / 1000],
    ...places,
  });
const searchPage = (from: number, to: number) =>
  data(sparse({ 64: numbers(to - from, from).map((id) => row(id)) }));

describe('places', () => {
  const routes: Route[] = [
    { pattern: '!7i20!8i40!', body: searchPage(40, 44) },
    { pattern: '!7i20!8i20!', body: searchPage(20, 40) },
    { pattern: '!7i20!10b1', body: searchPage(0, 20) },
  ];
  const same: Route[] = [{ pattern: '.', body: searchPage(0, 20) }];

  for (const limits of [[20], [1], [6], [13, 20]]) {
    test(`come once each in order with limits of ${limits}`, async () => {
      assert.deepEqual(await walked('places', routes, limits), numbers(44));
    });
  }

  test('beyond the radius are omitted, and the list continues after a page without any', async () => {
    const answers = await walk('places', routes, [20], { lat: 0, lng: 0.042, radius_m: 250 });
    assert.deepEqual(given(answers), [40, 41, 42, 43]);
    assert.deepEqual(
      answers.map(({ data: { length } }) => length),
      [0, 0, 4],
    );
  });

  test('without a point are omitted from an area', async () => {
    const body = data(sparse({ 64: [row(1), row(2, { '1.9': null })] }));
    const area = { lat: 0, lng: 0, radius_m: 50_000 };
    assert.deepEqual(await walked('places', [{ pattern: '.', body }], [20], area), [1]);
  });

  test('end if the platform starts again with the first', async () => {
    assert.deepEqual(await walked('places', same), numbers(20));
  });

  test('that are all outside the area end after a bounded number of pages', async () => {
    const answers = await walk('places', same, [20], { lat: 60, lng: 60 });
    assert.deepEqual([given(answers), answers.length], [[], 15]);
  });
});

describe('a thin answer', () => {
  const placeBody = (more: Places = {}): Route => ({
    pattern: 'preview/place',
    body: data(sparse({ '6.10': fid, '6.11': 'Name', '6.4.7': 4.5, ...more })),
  });
  const thin = placeBody();
  const full = placeBody({ '6.4.8': 9, '6.175': [1] });
  const instead = (answer: Partial<Route>): Route => ({ ...thin, ...{ body: undefined }, ...answer });
  const counts = (...numbers: readonly unknown[]): Route => ({
    pattern: 'rpcids=EzgPT',
    requestBody: 'VISIT_1234567',
    body: batchOf('EzgPT', [null, null, null, numbers]),
  });
  const visit: Route = { pattern: 'maps\\?cid=2&', body: "<html><script>var kEI='VISIT_1234567';</script>" };
  const found = (id: string): Route => ({
    pattern: 'tbm=map.*&q=Name&',
    body: data(sparse({ 64: [sparse({ '1.10': id, '1.11': 'Name', '1.4.7': 4.5, '1.4.8': 12 })] })),
  });

  for (const [name, routes, count, seconds, requests] of [
    ['is not requested again if it is complete', [full], 9, 86_400, 1],
    ['is requested again, and the complete one is cached for its full time', [thin, full], 9, 86_400, 2],
    ['that stays thin has nulls, and is cached briefly', [thin], null, 300, 5],
    ['gets its ratings from the page’s call', [thin, visit, counts(4.5, [1, 0, 0, 2, 7], 10)], 10, 300, 6],
    [
      'ignores counts that contradict their sum',
      [thin, visit, counts(4.5, [1, 0, 0, 2, 7], 11)],
      null,
      300,
      6,
    ],
    [
      'ignores counts that contradict the rating',
      [thin, visit, counts(4.1, [1, 0, 2, 1, 6], 10)],
      null,
      300,
      6,
    ],
    ['ignores counts in the other order', [thin, visit, counts(4.5, [7, 2, 0, 0, 1], 10)], null, 300, 6],
    ['ignores counts that are all 0', [thin, visit, counts(4.5, [0, 0, 0, 0, 0], 0)], null, 300, 6],
    ['ignores a sum without its counts', [thin, visit, counts(4.5, null, 10)], null, 300, 6],
    ['is completed by a search for its name that shows the same place', [thin, found(fid)], 12, 300, 5],
    ['is not completed by a search that shows another place', [thin, found('0x1:0x3')], null, 300, 5],
    ['is unchanged if the second try is blocked', [thin, instead({ status: 403 })], null, 300, 4],
    ['is unchanged if the second try is limited', [thin, instead({ status: 429 })], null, 300, 4],
    ['is unchanged if the second try is broken', [thin, instead({ body: 'x' })], null, 300, 4],
    [
      'is unchanged if the second try is another place',
      [thin, placeBody({ '6.10': '0x7:0x8' })],
      null,
      300,
      4,
    ],
  ] as const) {
    test(name, async () => {
      const { pages, requests: urls } = counted(...routes);
      const [answer] = await walk('place', pages, [1]);
      assert.deepEqual([ratingsOf(answer), answer?.seconds, urls.length], [count, seconds, requests]);
    });
  }

  test('of a search is requested again, too', async () => {
    const rows = (count: number | null): Route => ({
      pattern: '.',
      body: data(sparse({ 64: [row(1, { '1.4.7': 4.5, '1.4.8': count })] })),
    });
    const { pages, requests } = counted(rows(null), rows(7));
    const [answer] = await walk('places', pages);
    assert.deepEqual([ratingsOf(answer), answer?.seconds, requests.length], [7, 86_400, 2]);
    assert.equal((await walk('places', [rows(null)]))[0]?.seconds, 300);
  });
});
