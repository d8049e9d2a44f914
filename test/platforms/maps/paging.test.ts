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
import { sparse } from '../../support/sparse.js';

const placeId = 'ChIJAQAAAAAAAAARAgAAAAAAAAA';
const fid = '0x1:0x2';
const data = (root: unknown) => `)]}'\n${JSON.stringify(root)}`;

/** A source that records its requests. */
function counted(...routes: readonly Route[]): { pages: PageSource; requests: string[] } {
  const inner = routeSource('.', routes);
  const requests: string[] = [];
  return {
    requests,
    pages: {
      open(site, signal) {
        const session = inner.open(site, signal);
        return {
          fetch(request) {
            requests.push(request.url);
            return session.fetch(request);
          },
          cookie: (url, name) => session.cookie(url, name),
          end: () => undefined,
        };
      },
      close: () => inner.close(),
    },
  };
}

/** Every page of a listing, with the limits taken in turn. */
async function walk(
  endpoint: Endpoint,
  params: Record<string, unknown>,
  pages: PageSource,
  limits: number[],
) {
  const identity = endpoint.identify(parseParams(endpoint, params));
  const answers: { data: unknown[]; seconds: number }[] = [];
  let position = firstPosition;
  for (let turn = 0; turn < 60; turn += 1) {
    const limit = limits[Math.min(turn, limits.length - 1)] ?? 20;
    const { answer, seconds } = await fetchAnswer(
      { endpoint, identity, position, limit },
      pages,
      stoppedClock,
    );
    answers.push({ data: [JSON.parse(answer.data)].flat(), seconds });
    if (answer.next === null) return answers;
    position = { position: answer.next as Json, seen: [...position.seen, ...answer.prints] };
  }
  throw new Error('the listing does not end');
}

const review = (id: number) =>
  sparse(
    [[1], 5],
    [[2, 2], String(1780000000000 + id)],
    [[3], ['Mira']],
    [[5], `review-${id}`],
    [[12], 'https://www.google.com/maps/reviews/data=!4m8!2m1!1s0x0:0x2'],
    [[27], `text ${id}`],
  );
const reviewPage = (from: number, to: number, token: string | null) =>
  data(
    sparse(
      [[1, 10, 2], Array.from({ length: to - from }, (_, at) => review(from + at))],
      [[1, 10, 6], token],
    ),
  );
const encoded = (token: string) => encodeURIComponent(`,"${token}",`);
const reviewRoutes: Route[] = [
  { pattern: encoded('T2'), body: reviewPage(20, 24, null) },
  { pattern: encoded('T1'), body: reviewPage(10, 20, 'T2') },
  { pattern: encoded(''), body: reviewPage(0, 10, 'T1') },
];
const texts = (answers: readonly { data: unknown[] }[]) =>
  answers.flatMap(({ data: items }) => items.map((item) => (item as { text: string }).text));
const all = Array.from({ length: 24 }, (_, at) => `text ${at}`);

describe('reviews', () => {
  for (const limits of [[20], [1], [3], [7], [10], [19], [4, 20], [20, 3], [15, 5, 1, 20]]) {
    test(`come once each in order with limits of ${limits}`, async () => {
      const answers = await walk(
        reviews as Endpoint,
        { place_id: placeId },
        routeSource('.', reviewRoutes),
        limits,
      );
      assert.deepEqual(texts(answers), all);
      for (const [turn, { data: items }] of answers.entries()) {
        assert.ok(items.length <= (limits[Math.min(turn, limits.length - 1)] ?? 0));
      }
    });
  }

  test('end where the platform gives the same page again', async () => {
    const same = [{ pattern: 'GetLocalBoqProxy', body: reviewPage(0, 10, 'T1') }];
    const answers = await walk(reviews as Endpoint, { place_id: placeId }, routeSource('.', same), [20]);
    assert.deepEqual(texts(answers), all.slice(0, 10));
  });

  test('are not repeated where pages overlap', async () => {
    const overlapping = [
      { pattern: encoded('T1'), body: reviewPage(5, 24, null) },
      { pattern: encoded(''), body: reviewPage(0, 10, 'T1') },
    ];
    const answers = await walk(
      reviews as Endpoint,
      { place_id: placeId },
      routeSource('.', overlapping),
      [20],
    );
    assert.deepEqual(texts(answers), all);
  });

  const placeOf = (ratings: number | null): Route => ({
    pattern: 'preview/place',
    body: data(sparse([[6, 10], fid], [[6, 4, 7], 4], [[6, 4, 8], ratings], [[6, 175], [1]])),
  });
  const endings: [name: string, routes: Route[]][] = [
    [
      'a later page without rows and token',
      [
        { pattern: encoded('T1'), body: reviewPage(0, 0, null) },
        { pattern: encoded(''), body: reviewPage(0, 10, 'T1') },
      ],
    ],
    ['a first page that is full and has no token', [{ pattern: encoded(''), body: reviewPage(0, 10, null) }]],
  ];
  /** Why the listing ends, and what the place counts, after all its parts. */
  const endOf = async (pages: PageSource, sort: string) => {
    const endpoint = reviews as Endpoint;
    const identity = endpoint.identify(parseParams(endpoint, { place_id: placeId, sort }));
    const session = pages.open(endpoint.site);
    let count = 0;
    for (let position: Json = null; ; ) {
      const {
        data: items,
        next = null,
        ended,
        total,
      } = await endpoint.read({ identity, limit: 20, position, session });
      count += (items as unknown[]).length;
      if (next === null) return { given: count, ended, total };
      position = next;
    }
  };

  for (const [name, routes] of endings) {
    test(`end at ${name}, and say how many the place counts`, async () => {
      for (const [ratings, sort, ended] of [
        [10, 'newest', 'end'],
        [20, 'relevant', 'end'],
        [21, 'newest', 'unknown'],
        [4604, 'relevant', 'unknown'],
        [null, 'relevant', 'unknown'],
      ] as const) {
        const end = await endOf(routeSource('.', [...routes, placeOf(ratings)]), sort);
        assert.deepEqual(end, { given: 10, ended, total: ratings }, `${ratings} ${sort}`);
      }
      const failing = routeSource('.', [...routes, { pattern: 'preview/place', status: 503 }]);
      assert.deepEqual(await endOf(failing, 'newest'), {
        given: 10,
        ended: 'unknown',
        total: null,
      });
      const answers = await walk(reviews as Endpoint, { place_id: placeId }, failing, [7, 3, 20]);
      assert.deepEqual(texts(answers), all.slice(0, 10));
    });
  }

  test('in an order that ends after 800 end there for visitors, and newest ones do not', async () => {
    const endpoint = reviews as Endpoint;
    for (const [count, sort, ended] of [
      [780, 'relevant', 'visitors'],
      [390, 'relevant', 'unknown'],
      [780, 'newest', 'unknown'],
      [4600, 'newest', 'end'],
    ] as const) {
      const pages = routeSource('.', [
        { pattern: encoded('T1'), body: reviewPage(0, 0, null) },
        placeOf(4604),
      ]);
      const { data: items, ...end } = await endpoint.read({
        identity: endpoint.identify(parseParams(endpoint, { place_id: placeId, sort })),
        limit: 20,
        position: { token: 'T1', skip: 0, given: count },
        session: pages.open(endpoint.site),
      });
      assert.deepEqual([items, end.next, end.ended, end.total], [[], null, ended, 4604]);
    }
  });

  test('of a later page are not taken from the place body, whatever becomes of their list', async () => {
    const broken = [
      { pattern: encoded('T1'), body: data([null, [null]]) },
      { pattern: encoded(''), body: reviewPage(0, 10, 'T1') },
    ];
    await assert.rejects(walk(reviews as Endpoint, { place_id: placeId }, routeSource('.', broken), [20]), {
      code: 'platform_changed',
    });
  });

  test('in another order are not taken from the place body, which holds the relevant ones', async () => {
    const body = data(sparse([[6, 10], fid], [[6, 4, 7], 4], [[6, 4, 8], 9], [[6, 175], [1]]));
    const routes = [
      { pattern: 'GetLocalBoqProxy', status: 403 },
      { pattern: 'preview/place', body },
    ];
    for (const sort of ['newest', 'relevant']) {
      await assert.rejects(
        walk(reviews as Endpoint, { place_id: placeId, sort }, routeSource('.', routes), [20]),
        { code: 'platform_blocked' },
        sort,
      );
    }
  });

  test('are refused as their list is where the place’s page fails as well', async () => {
    const frameless = { pattern: 'GetLocalBoqProxy', body: data([null, [null]]) };
    for (const second of [{ status: 500 }, { status: 429 }, { body: data([null]) }]) {
      const pages = routeSource('.', [frameless, { pattern: 'preview/place', ...second }]);
      await assert.rejects(walk(reviews as Endpoint, { place_id: placeId }, pages, [20]), {
        code: 'platform_changed',
        message: /frame for reviews/,
      });
    }
  });

  test('whose next page’s token cannot be carried are platform_changed', async () => {
    const routes = [{ pattern: '.', body: reviewPage(0, 1, 'x'.repeat(1501)) }];
    await assert.rejects(walk(reviews as Endpoint, { place_id: placeId }, routeSource('.', routes), [20]), {
      code: 'platform_changed',
    });
  });

  test('are requested sixty at a time only where the limit is above ten', async () => {
    for (const [limit, size] of [
      [10, 10],
      [11, 60],
    ] as const) {
      const { pages, requests } = counted({ pattern: '.', body: reviewPage(0, 5, null) });
      await walk(reviews as Endpoint, { place_id: placeId }, pages, [limit]);
      assert.match(decodeURIComponent(requests[0] ?? ''), new RegExp(`,${size},null,\\["0x1:0x2"\\]`));
    }
  });

  test('are all given, whatever the limits are, where a page of them holds sixty', async () => {
    const routes = [
      { pattern: encoded('T1'), body: reviewPage(60, 110, null) },
      { pattern: encoded(''), body: reviewPage(0, 60, 'T1') },
    ];
    for (const limits of [[20], [7], [19, 20], [10, 20]]) {
      const answers = await walk(
        reviews as Endpoint,
        { place_id: placeId },
        routeSource('.', routes),
        limits,
      );
      assert.deepEqual(
        texts(answers),
        Array.from({ length: 110 }, (_, at) => `text ${at}`),
        String(limits),
      );
    }
  });
});

const photo = (id: number) =>
  sparse(
    [[0], `photo-${id}`],
    [[1], 10],
    [[6], [`https://lh3.googleusercontent.com/p/${id}=w1-h1`, null, [4, 3]]],
  );
const photoRows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => photo(from + at));
const gallery = (rows: unknown, total: number | null, token: string | null) => [
  rows,
  total,
  null,
  null,
  null,
  token,
];
const bodyWith = (page: unknown) => data(sparse([[6, 10], fid], [[6, 105], [[[[2]], page]]]));
const batch = (page: unknown) =>
  `)]}'\n\n9\n${JSON.stringify([['wrb.fr', 'hspqX', JSON.stringify(page), null, null, null, 'generic']])}\n`;
const urls = (answers: readonly { data: unknown[] }[]) =>
  answers.flatMap(({ data: items }) =>
    items.map((item) => Number(/p\/(\d+)=/.exec((item as { url: string }).url)?.[1])),
  );
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Why a part of the gallery is the last one. */
async function endOfPhotos(pages: PageSource, position: Json) {
  const endpoint = photos as Endpoint;
  const identity = endpoint.identify({ place_id: placeId });
  const session = pages.open(endpoint.site);
  const { data: items, next, ended, total } = await endpoint.read({ identity, limit: 20, position, session });
  assert.equal(next, null);
  return { given: (items as unknown[]).length, ended, total };
}

describe('photos without a token', () => {
  const site = (total: number | null) =>
    routeSource('.', [{ pattern: 'preview/place', body: bodyWith(gallery(photoRows(0, 3), total, null)) }]);
  const from = (total: number | null, limits: number[]) =>
    walk(photos as Endpoint, { place_id: placeId }, site(total), limits);

  test('end for visitors where the gallery counts more than twice as many', async () => {
    for (const [total, ended] of [
      [null, 'unknown'],
      [3, 'end'],
      [6, 'unknown'],
      [7, 'visitors'],
    ] as const) {
      for (const limits of [[20], [2]]) assert.deepEqual(urls(await from(total, limits)), numbers(3));
      assert.deepEqual(await endOfPhotos(site(total), null), { given: 3, ended, total });
    }
  });
});

describe('photos', () => {
  const routes: Route[] = [
    { pattern: 'preview/place', body: bodyWith(gallery(photoRows(0, 20), 45, 'P1')) },
    { pattern: 'batchexecute', requestBody: 'P1', body: batch(gallery(photoRows(20, 40), 45, 'P2')) },
    { pattern: 'batchexecute', requestBody: 'P2', body: batch(gallery(photoRows(40, 45), 45, 'P3')) },
  ];

  for (const limits of [[20], [1], [7], [20, 6], [3, 20]]) {
    test(`come once each in order with limits of ${limits}`, async () => {
      const answers = await walk(photos as Endpoint, { place_id: placeId }, routeSource('.', routes), limits);
      assert.deepEqual(urls(answers), numbers(45));
    });
  }

  test('of another place do not follow those of the first page', async () => {
    const at = (lat: number) =>
      photoRows(0, 2).map((row) => Object.assign([...row], { 8: [[3, 15.4, lat]] }));
    const pages = (lat: number) =>
      routeSource('.', [
        { pattern: 'preview/place', body: bodyWith(gallery(at(47), 4, 'P1')) },
        { pattern: 'batchexecute', body: batch(gallery(at(lat), 4, 'P2')) },
      ]);
    await walk(photos as Endpoint, { place_id: placeId }, pages(47.001), [20]);
    await assert.rejects(walk(photos as Endpoint, { place_id: placeId }, pages(48), [20]), {
      code: 'platform_changed',
      message: /another place/,
    });
  });

  test('end with the gallery’s size, without asking for a page more', async () => {
    const { pages, requests } = counted(...routes);
    await walk(photos as Endpoint, { place_id: placeId }, pages, [20]);
    assert.equal(requests.length, 3);
  });

  test('end with a page that was there before, since the token never ends', async () => {
    const again = { pattern: 'batchexecute', body: batch(gallery(photoRows(10, 20), null, 'P9')) };
    const first = { pattern: 'preview/place', body: bodyWith(gallery(photoRows(0, 20), null, 'P1')) };
    const answers = await walk(
      photos as Endpoint,
      { place_id: placeId },
      routeSource('.', [first, again]),
      [20],
    );
    assert.deepEqual(urls(answers), numbers(20));
  });

  test('that the gallery counts or leads on to, and withholds, are no empty list', async () => {
    for (const page of [gallery(null, 45, null), gallery(null, null, 'P1'), gallery(null, 45, 'P1')]) {
      const pages = routeSource('.', [{ pattern: 'preview/place', body: bodyWith(page) }]);
      await assert.rejects(walk(photos as Endpoint, { place_id: placeId }, pages, [20]), {
        code: 'platform_restricted',
      });
    }
  });

  test('end for visitors where the platform withholds the next page, after the first was given', async () => {
    const withheld = { pattern: 'batchexecute', body: batch(gallery(null, null, 'P2')) };
    const pages = routeSource('.', [routes[0] as Route, withheld]);
    const answers = await walk(photos as Endpoint, { place_id: placeId }, pages, [20]);
    assert.deepEqual(urls(answers), numbers(20));
    const position = { token: 'P1', skip: 0, before: 20, point: null, total: 45 };
    assert.deepEqual(await endOfPhotos(pages, position), { given: 0, ended: 'visitors', total: 45 });
  });
});

const row = (id: number, ...more: readonly (readonly [readonly number[], unknown])[]) =>
  sparse(
    [[1, 10], `0x1:0x${(id + 1).toString(16)}`],
    [[1, 11], `Place ${id}`],
    [
      [1, 9],
      [null, null, 0, id / 1000],
    ],
    ...more,
  );
const searchPage = (from: number, to: number) =>
  data(sparse([[64], Array.from({ length: to - from }, (_, at) => row(from + at))]));
const names = (answers: readonly { data: unknown[] }[]) =>
  answers.flatMap(({ data: items }) => items.map((item) => Number((item as { name: string }).name.slice(6))));

describe('places', () => {
  const routes: Route[] = [
    { pattern: '!7i20!8i40!', body: searchPage(40, 44) },
    { pattern: '!7i20!8i20!', body: searchPage(20, 40) },
    { pattern: '!7i20!10b1', body: searchPage(0, 20) },
  ];

  for (const limits of [[20], [1], [6], [13, 20]]) {
    test(`come once each in order with limits of ${limits}`, async () => {
      assert.deepEqual(
        names(await walk(places as Endpoint, { query: 'x' }, routeSource('.', routes), limits)),
        numbers(44),
      );
    });
  }

  test('farther off than the radius are left out, and the listing goes on past a page without any', async () => {
    const near = { query: 'x', lat: 0, lng: 0.042, radius_m: 250 };
    const answers = await walk(places as Endpoint, near, routeSource('.', routes), [20]);
    assert.deepEqual(names(answers), [40, 41, 42, 43]);
    assert.deepEqual(
      answers.map(({ data: items }) => items.length),
      [0, 0, 4],
    );
  });

  test('without a point are left out of an area, since nothing says that they are in it', async () => {
    const body = data(sparse([[64], [row(1), row(2, [[1, 9], null])]]));
    const area = { query: 'x', lat: 0, lng: 0, radius_m: 50_000 };
    assert.deepEqual(
      names(await walk(places as Endpoint, area, routeSource('.', [{ pattern: '.', body }]), [20])),
      [1],
    );
  });

  test('end where the platform begins again from the first', async () => {
    const same = [{ pattern: '.', body: searchPage(0, 20) }];
    assert.deepEqual(
      names(await walk(places as Endpoint, { query: 'x' }, routeSource('.', same), [20])),
      numbers(20),
    );
  });

  test('that all lie outside the area do not make a listing without end', async () => {
    const same = [{ pattern: '.', body: searchPage(0, 20) }];
    const area = { query: 'x', lat: 60, lng: 60 };
    const answers = await walk(places as Endpoint, area, routeSource('.', same), [20]);
    assert.deepEqual(names(answers), []);
    assert.equal(answers.length, 15);
  });
});

describe('an answer that comes thin', () => {
  const thin = data(sparse([[6, 10], fid], [[6, 11], 'Name'], [[6, 4, 7], 4.5]));
  const full = data(
    sparse([[6, 10], fid], [[6, 11], 'Name'], [[6, 4, 7], 4.5], [[6, 4, 8], 9], [[6, 175], [1]]),
  );
  const pattern = 'preview/place';
  const readCounts = async (...routes: readonly Route[]) => {
    const { pages, requests } = counted(...routes);
    const [answer] = await walk(place as Endpoint, { place_id: placeId }, pages, [1]);
    assert.ok(answer);
    const [{ user_ratings_total }] = answer.data as [{ user_ratings_total: number | null }];
    return { count: user_ratings_total, seconds: answer.seconds, requests: requests.length };
  };

  test('is requested once more, and the whole one is cached its full time', async () => {
    assert.deepEqual(await readCounts({ pattern, body: thin }, { pattern, body: full }), {
      count: 9,
      seconds: 86_400,
      requests: 2,
    });
  });

  test('thrice, and not completed elsewhere, is given with nulls and cached only briefly', async () => {
    assert.deepEqual(await readCounts({ pattern, body: thin }), { count: null, seconds: 300, requests: 5 });
  });

  const counts = (...numbers: readonly unknown[]) => ({
    pattern: 'rpcids=EzgPT',
    requestBody: 'VISIT_1234567',
    body: `)]}'\n\n9\n${JSON.stringify([['wrb.fr', 'EzgPT', JSON.stringify([null, null, null, numbers]), null, null, null, 'generic']])}\n`,
  });
  const visit = { pattern: 'maps\\?cid=2&', body: "<html><script>var kEI='VISIT_1234567';</script>" };

  test('has its ratings counted by the page’s own call', async () => {
    const visitCounts = counts(4.5, [1, 0, 0, 2, 7], 10);
    assert.deepEqual(await readCounts({ pattern, body: thin }, visit, visitCounts), {
      count: 10,
      seconds: 300,
      requests: 6,
    });
  });

  test('takes no counts that contradict themselves, or the rating', async () => {
    for (const wrong of [
      counts(4.5, [1, 0, 0, 2, 7], 11),
      counts(4.1, [1, 0, 2, 1, 6], 10),
      counts(4.5, [7, 2, 0, 0, 1], 10),
      counts(4.5, [0, 0, 0, 0, 0], 0),
      counts(4.5, null, 10),
    ]) {
      const { count } = await readCounts({ pattern, body: thin }, visit, wrong);
      assert.equal(count, null);
    }
  });

  test('is completed by a search for its name, where that shows the same place', async () => {
    const row = (id: string) =>
      data(sparse([[64], [sparse([[1, 10], id], [[1, 11], 'Name'], [[1, 4, 7], 4.5], [[1, 4, 8], 12])]]));
    for (const [id, count] of [
      [fid, 12],
      ['0x1:0x3', null],
    ] as const) {
      const routes = [
        { pattern, body: thin },
        { pattern: 'tbm=map.*&q=Name&', body: row(id) },
      ];
      assert.deepEqual(await readCounts(...routes), { count, seconds: 300, requests: 5 });
    }
  });

  test('is given as it is where the second try is refused or broken', async () => {
    for (const second of [
      { status: 403 },
      { status: 429 },
      { body: 'x' },
      { body: data(sparse([[6, 10], '0x7:0x8'])) },
    ]) {
      const { count, seconds } = await readCounts({ pattern, body: thin }, { pattern, ...second });
      assert.deepEqual([count, seconds], [null, 300]);
    }
  });

  test('is not requested again when it is whole', async () => {
    assert.deepEqual(await readCounts({ pattern, body: full }), { count: 9, seconds: 86_400, requests: 1 });
  });

  test('as rows of a search goes the same way', async () => {
    const rows = (count: number | null) =>
      data(
        sparse([
          [64],
          [
            row(1, [
              [1, 4],
              [null, null, null, null, null, null, null, 4.5, count],
            ]),
          ],
        ]),
      );
    const { pages, requests } = counted({ pattern: '.', body: rows(null) }, { pattern: '.', body: rows(7) });
    const [answer] = await walk(places as Endpoint, { query: 'x' }, pages, [20]);
    assert.ok(answer);
    assert.equal((answer.data[0] as { user_ratings_total: number }).user_ratings_total, 7);
    assert.deepEqual([requests.length, answer.seconds], [2, 86_400]);
    const thin = await walk(
      places as Endpoint,
      { query: 'x' },
      routeSource('.', [{ pattern: '.', body: rows(null) }]),
      [20],
    );
    assert.equal(thin[0]?.seconds, 300);
  });
});
