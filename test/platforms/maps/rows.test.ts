import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fullSizeUrl } from '../../../lib/platforms/maps/links.js';
import { mapsPhoto, mapsReview } from '../../../lib/platforms/maps/objects.js';
import { readOlderReview } from '../../../lib/platforms/maps/older-review-row.js';
import { isStreetView, readPhoto } from '../../../lib/platforms/maps/photo-row.js';
import { distance } from '../../../lib/platforms/maps/point.js';
import { readReview, starsOf } from '../../../lib/platforms/maps/review-row.js';
import { searchNodes } from '../../../lib/platforms/maps/search-rows.js';
import { areThin, isThin } from '../../../lib/platforms/maps/thin-page.js';
import { sparse } from '../../support/sparse.js';

type Entry = readonly [readonly number[], unknown];
const picture = 'https://lh3.googleusercontent.com/p/AF1Qip-x=w203-h152-k-no';

describe('pictures', () => {
  test('are addressed in full size', () => {
    const base = 'https://lh3.googleusercontent.com/gps-cs-s/AHRP-=x';
    for (const size of [
      'w203-h152-k-no',
      's44-p-k-no-ns-nd',
      'w203-h100-k-no-pi-23.4-ya289.2-ro-8.6-fo100',
      'h5',
    ]) {
      assert.equal(fullSizeUrl(`${base}=${size}`), `${base}=s0`);
    }
    for (const url of [base, 'https://lh3.googleusercontent.com/p/x', 'https://x.example/a?b=w5/c']) {
      assert.equal(fullSizeUrl(url), url);
    }
    assert.equal(
      fullSizeUrl('//lh3.googleusercontent.com/p/x=w5'),
      'https://lh3.googleusercontent.com/p/x=s0',
    );
    assert.equal(fullSizeUrl('x y'), null);
  });

  test('have their width first in one list and their height first in the other', () => {
    const row = (...more: readonly Entry[]) => mapsPhoto.parse(readPhoto(sparse([[6, 0], picture], ...more)));
    assert.deepEqual(
      row(
        [
          [6, 2],
          [40, 30],
        ],
        [
          [21, 2, 2],
          [1, 2],
        ],
      ),
      {
        url: picture.replace('w203-h152-k-no', 's0'),
        width: 40,
        height: 30,
        uploader: null,
      },
    );
    const swapped = row([
      [21, 2, 2],
      [30, 40],
    ]);
    assert.deepEqual([swapped.width, swapped.height], [40, 30]);
    const unknown = row([
      [6, 2],
      [0, 0],
    ]);
    assert.deepEqual([unknown.width, unknown.height], [null, null]);
  });

  test('name who took them, and neither the place nor a remark on copyright', () => {
    const row = (...more: readonly Entry[]) =>
      readPhoto(sparse([[6], [picture, 'Name of the place', [4, 3]]], ...more)).uploader;
    assert.equal(row([[21, 4], [[[['Images may be subject to copyright.']]]]]), null);
    assert.deepEqual(
      row([
        [21, 4],
        [null, [[['Mira'], 'https://www.google.com/maps/contrib/1']]],
      ]),
      {
        name: 'Mira',
        profile_url: 'https://www.google.com/maps/contrib/1',
      },
    );
  });

  test('of Street View are known by their kind or their server', () => {
    assert.ok(isStreetView(sparse([[1], 0])));
    assert.ok(isStreetView(sparse([[1], 10], [[6, 0], 'https://streetviewpixels-pa.googleapis.com/v1/x'])));
    assert.ok(!isStreetView(sparse([[1], 10], [[6, 0], picture])));
    assert.ok(!isStreetView(sparse()));
  });
});

describe('a rating', () => {
  test('of the platform counts as it is, a partner’s in proportion', () => {
    assert.equal(starsOf(4, 9, 10), 4);
    assert.equal(starsOf(null, 9, 10), 4.5);
    assert.equal(starsOf(undefined, 8.3, 10), 4.2);
    assert.equal(starsOf(null, 3, 5), 3);
  });

  test('that cannot be is none', () => {
    for (const [ownRating, partner, scale] of [
      [0, 1, 5],
      [6, 1, 5],
      [null, 11, 10],
      [null, 0, 10],
      [null, 4, null],
      [null, null, 5],
    ]) {
      assert.equal(starsOf(ownRating, partner, scale), null);
    }
  });
});

describe('a review', () => {
  const fullRow: readonly Entry[] = [
    [[1], 5],
    [[2], ['a week ago', null, '1780080745417']],
    [
      [3],
      [
        'Mira',
        'https://lh3.googleusercontent.com/a-/x=s64',
        'https://www.google.com/maps/contrib/1',
        80,
        7,
        [null, 1],
      ],
    ],
    [[5], 'id'],
  ];
  const read = (...more: readonly Entry[]) => {
    const { id, review } = readReview(sparse(...fullRow, ...more));
    return { id, review: mapsReview.parse(review) };
  };

  test('without words, photos and answer is one', () => {
    assert.deepEqual(read(), {
      id: 'id',
      review: {
        rating: 5,
        text: null,
        language: null,
        publish_time: '2026-05-29T18:52:25.417Z',
        author: {
          name: 'Mira',
          profile_url: 'https://www.google.com/maps/contrib/1',
          photo_url: 'https://lh3.googleusercontent.com/a-/x=s64',
          is_local_guide: true,
          review_count: 80,
        },
        photos: [],
        owner_response: null,
      },
    });
  });

  test('whose photos are elsewhere has changed', () => {
    assert.equal(read([[14], [[picture]]]).review.photos.length, 1);
    assert.throws(() => read([[15], [[picture]]]), { code: 'platform_changed' });
  });

  test('is plain text with its lines and signs', () => {
    const { review } = read(
      [[27], 'A &amp; B<br>&lt;3 &quot;x&quot;<br/><b>!</b>'],
      [[4], [null, 'x', 'Thank<br>you &#39;all&#39;']],
    );
    assert.equal(review.text, 'A & B\n<3 "x"\n!');
    assert.deepEqual(review.owner_response, { text: "Thank\nyou 'all'", publish_time: null });
  });

  test('lacking its id, rating, time or author is no review', () => {
    for (const path of [[1], [2], [3], [5]]) {
      const row = sparse(...fullRow);
      row[path[0] as number] = null;
      assert.throws(() => readReview(row), { code: 'platform_changed' });
    }
  });
});

describe('a review in the older shape', () => {
  const who = [
    'Mira',
    'https://x.example/p',
    ['https://www.google.com/maps/contrib/1'],
    '1',
    null,
    6,
    0,
    null,
  ];
  const fullRow: readonly Entry[] = [
    [[0, 0], 'id'],
    [[0, 1, 2], 1770906476231835],
    [[0, 1, 4, 5], who],
    [[0, 2, 0, 0], 5],
  ];
  const read = (...more: readonly Entry[]) =>
    mapsReview.parse(readOlderReview(sparse(...fullRow, ...more)).review);

  test('reads its time from microseconds, and its text without reading it as HTML', () => {
    const review = read(
      [[0, 2, 15, 0, 0], 'a <b> &amp;\nb'],
      [
        [0, 2, 14],
        ['en', 'el'],
      ],
    );
    assert.equal(review.publish_time, '2026-02-12T14:27:56.231Z');
    assert.equal(review.text, 'a <b> &amp;\nb');
    assert.equal(review.language, 'en');
  });

  test('whose photos are elsewhere has changed', () => {
    assert.equal(read([[0, 2, 2], [[null, sparse([[6, 0], picture])]]]).photos.length, 1);
    assert.throws(() => read([[0, 2, 3], [[null, sparse([[6, 0], picture])]]]), { code: 'platform_changed' });
  });

  test('was not written when it was last edited', () => {
    const edited = 1780906476231835;
    assert.throws(() => read([[0, 1, 2], null], [[0, 1, 3], edited]), { code: 'platform_changed' });
    const answered = read([[0, 3, 2], edited], [[0, 3, 14], [['Thanks']]]);
    assert.deepEqual(answered.owner_response, { text: 'Thanks', publish_time: null });
  });

  test('has an answer only where there is text, with its time', () => {
    assert.equal(
      read([
        [0, 3],
        [null, null, null, null, null, 'https://business.google.com/reply'],
      ]).owner_response,
      null,
    );
    assert.deepEqual(
      read([[0, 3, 1], 1720613883000000], [[0, 3, 14], [['Thanks', null, [0, 6]]]]).owner_response,
      {
        text: 'Thanks',
        publish_time: '2024-07-10T12:18:03.000Z',
      },
    );
  });

  test('marks local guides by a number', () => {
    const guide = (mark: unknown) => read([[0, 1, 4, 5, 8], mark]).author.is_local_guide;
    assert.equal(guide([1, 5, 1]), true);
    assert.equal(guide([0, 3, 1]), false);
    assert.equal(guide([null, null, 0]), false);
    assert.equal(guide(null), null);
    for (const unknown of [[], [null], [null, 5], [null, 5, 1], [undefined, null, null], ['1', 5, 1]]) {
      assert.equal(guide(unknown), null, JSON.stringify(unknown));
    }
  });

  test('of 2023 had its author and text elsewhere', () => {
    const author = [
      [6, null, 1],
      42,
      62,
      'https://x.example/p',
      'Rudi',
      'https://www.google.com/maps/contrib/2',
    ];
    const row = sparse(
      [[0, 0], 'id'],
      [[0, 1, 2], 1770906476231835],
      [[0, 1, 4, 0], author],
      [
        [0, 2],
        [[4], ['Text', 'de']],
      ],
    );
    const { review } = readOlderReview(row);
    assert.deepEqual([review.text, review.language, review.author.name], ['Text', 'de', 'Rudi']);
    assert.deepEqual([review.author.is_local_guide, review.author.review_count], [true, 42]);
  });
});

describe('rows of a search', () => {
  const noRows = { nodes: [], length: 0, lost: 0 };
  const node = sparse([[10], '0x1:0x2'], [[11], 'Name']);
  const other = sparse([[10], '0x1:0x3'], [[11], 'Other']);
  const row = (at: number, place = node) => sparse([[at], place]);

  test('stand in one of two places, the newer first', () => {
    assert.deepEqual(searchNodes(sparse([[64], [row(1), row(1, other)]]), 'bakery').nodes, [node, other]);
    const older = sparse([
      [0, 1],
      [sparse([[10], 'header']), row(14)],
    ]);
    assert.deepEqual(searchNodes(older, 'bakery').nodes, [node]);
    assert.equal(
      searchNodes(sparse([[0, 1], [row(14)]], [[64], [row(1), row(1, other)]]), 'bakery').nodes.length,
      2,
    );
    assert.equal(searchNodes(sparse([[0, 1], [row(14)]], [[64], []]), 'bakery').nodes.length, 1);
  });

  test('that come twice are one place, and those that are null are told of', () => {
    const { nodes, length, lost } = searchNodes(
      sparse([[64], [row(1), null, row(1), row(1, other)]]),
      'bakery',
    );
    assert.deepEqual([nodes, length, lost], [[node, other], 4, 1]);
  });

  test('of departures stand beside the station that they name, and beside no other', () => {
    const departures = (id: string) =>
      sparse([[17, 0], 'Name'], [[17, 8], id], [[17, 1], [['Line 1', '0x7:0x8']]]);
    const answer = (id: string) =>
      sparse([
        [0, 1],
        [row(14), departures(id)],
      ]);
    assert.deepEqual(searchNodes(answer('0x1:0x2'), 'station').nodes, [node]);
    const lines = sparse([
      [0, 1],
      [row(14), sparse([[17, 1], [[null, 'Subway services', [['0x1:0x2', '0x7:0x8']]]]])],
    ]);
    assert.deepEqual(searchNodes(lines, 'station').nodes, [node]);
    assert.throws(() => searchNodes(answer('0x1:0x9'), 'station'), { code: 'platform_changed' });
  });

  test('are none where a list of them is there, and no place is named anywhere', () => {
    const header = sparse([[10], 'header']);
    for (const root of [sparse([[64], []]), sparse([[0, 1], [header]])]) {
      assert.deepEqual(searchNodes(root, 'bakery'), { ...noRows, emptyProof: { none: true } });
    }
    const others = [[], [null], sparse([[0], ['bakery']]), sparse([[64], [[null, ['x']]]])];
    const moved = [
      sparse([[0, 1], [header]], [[65], [row(1)]]),
      sparse([[0, 1], [header]], [[64], [row(2), row(2)]]),
      sparse([
        [0, 1],
        [header, row(15)],
      ]),
    ];
    for (const root of [...others, ...moved]) {
      assert.deepEqual(searchNodes(root, 'bakery'), { ...noRows, emptyProof: { none: false } });
    }
  });

  test('that hold nothing, or no node, are places which are not shown', () => {
    for (const root of [
      sparse([[64], [null]]),
      sparse([[64], [[]]]),
      sparse([[64], [[null, null]]]),
      sparse([[0, 1], [sparse([[10], 'header'])]], [[64], 'x']),
      sparse([[0, 1], [sparse([[10], 'header'])]], [[64], [['x', null]]]),
      sparse([[0, 1], [sparse([[10], 'header'])]], [[64], [[null, 'x']]]),
      sparse([
        [0, 1],
        [sparse([[10], 'header']), null],
      ]),
    ]) {
      assert.deepEqual(searchNodes(root, 'bakery'), { ...noRows, emptyProof: { none: false } });
    }
    for (const rows of [
      [row(1), [], row(1)],
      [row(1), [null, null]],
      [row(1), ['x', null]],
      [row(1), [null, 'x']],
    ]) {
      assert.throws(() => searchNodes(sparse([[64], rows]), 'bakery'), { code: 'platform_changed' });
    }
  });

  test('answer the query that was asked, as the platform spells it, and no other', () => {
    const answer = (echo: string) => sparse([[0, 0], echo], [[64], [row(1)]]);
    for (const [query, echo] of [
      ['bkry grz', 'bakery Graz'],
      ['pizza place near the big red church', 'pizza'],
      ['Café Müller', 'cafe muller'],
      ['moskva kafe', 'москва кафе'],
      ['48.2082, 16.3738', '48°12\'29.5"N 16°22\'25.7"E'],
    ] as const) {
      assert.equal(searchNodes(answer(echo), query).nodes.length, 1, query);
    }
    for (const [query, echo] of [
      ['coffee', 'hospitals in delhi'],
      ['restaurants in Rome', 'museums in Paris'],
      ['寿司 東京', '病院 大阪'],
    ] as const) {
      assert.throws(() => searchNodes(answer(echo), query), { code: 'platform_changed' }, query);
    }
  });

  test('leave suggestions and sponsored rows between the places out, and nothing else that names a place', () => {
    const sponsored = sparse([[5], [['an advertisement', '0x3:0x4']]]);
    assert.equal(
      searchNodes(sparse([[64], [sponsored, [null, ['suggestion']], row(1)]]), 'bakery').nodes.length,
      1,
    );
    assert.throws(() => searchNodes(sparse([[64], [row(1), row(2)]]), 'bakery'), {
      code: 'platform_changed',
    });
  });
});

describe('thin answers', () => {
  const full = sparse([[4, 7], 4.5], [[4, 8], 9], [[175], [1]]);

  test('have a rating without its count, a day in place of a week, or none of the large parts', () => {
    assert.ok(!isThin(full));
    assert.ok(isThin(sparse([[4, 7], 4.5], [[175], [1]])));
    assert.ok(isThin(sparse([[4, 7], 4.5], [[4, 8], 9])));
    assert.ok(isThin(sparse([[203, 0], [['Mon', 1, [], [['x', [[9], [17]]]], 0, 1]]], [[175], [1]])));
    assert.ok(!isThin(sparse([[4, 3, 1], '9 reviews'], [[4, 7], 4.5], [[100], [1]])));
    assert.ok(!isThin(sparse([[52], [1]])));
  });

  test('as rows are thin when most of them are', () => {
    const thin = sparse([[4, 7], 4.5]);
    assert.ok(areThin([thin]));
    assert.ok(areThin([thin, thin, full]));
    assert.ok(!areThin([thin, full]));
    assert.ok(!areThin([sparse(), sparse()]));
    assert.ok(!areThin([]));
  });
});

describe('distance', () => {
  test('is that of the sphere', () => {
    assert.equal(Math.round(distance({ lat: 0, lng: 0 }, { lat: 0, lng: 1 }) / 100), 1112);
    assert.equal(
      Math.round(distance({ lat: 48.8566, lng: 2.3522 }, { lat: 51.5074, lng: -0.1278 }) / 1000),
      344,
    );
    assert.equal(Math.round(distance({ lat: 90, lng: 0 }, { lat: -90, lng: 50 }) / 1000), 20_015);
    assert.ok(distance({ lat: 0, lng: 179.99 }, { lat: 0, lng: -179.99 }) < 2300);
  });

  test('is the same both ways and 0 to itself', () => {
    const point = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(point, point, (one, other) => {
        assert.ok(Math.abs(distance(one, other) - distance(other, one)) < 1e-3);
        assert.ok(distance(one, one) === 0 && distance(one, other) >= 0);
      }),
    );
  });
});
