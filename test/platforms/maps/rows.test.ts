import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fullSizeUrl } from '../../../lib/platforms/maps/links.js';
import { mapsPhoto, mapsReview } from '../../../lib/platforms/maps/objects.js';
import { readOlderReview } from '../../../lib/platforms/maps/older-review-row.js';
import { isStreetView, readPhoto } from '../../../lib/platforms/maps/photo-row.js';
import { distance, type Point } from '../../../lib/platforms/maps/point.js';
import { readReview, starsOf } from '../../../lib/platforms/maps/review-row.js';
import { searchNodes } from '../../../lib/platforms/maps/search-rows.js';
import { areThin, isThin } from '../../../lib/platforms/maps/thin-page.js';
import { type Places, sparse } from '../../support/sparse.js';

const picture = 'https://lh3.googleusercontent.com/p/AF1Qip-x=w203-h152-k-no';

const changed = { code: 'platform_changed' };

describe('pictures', () => {
  const base = 'https://lh3.googleusercontent.com/gps-cs-s/AHRP-=x';
  for (const [url, full] of [
    [`${base}=w203-h152-k-no`, `${base}=s0`],
    [`${base}=s44-p-k-no-ns-nd`, `${base}=s0`],
    [`${base}=w203-h100-k-no-pi-23.4-ya289.2-ro-8.6-fo100`, `${base}=s0`],
    [`${base}=h5`, `${base}=s0`],
    [base, base],
    ['https://lh3.googleusercontent.com/p/x', 'https://lh3.googleusercontent.com/p/x'],
    ['https://x.example/a?b=w5/c', 'https://x.example/a?b=w5/c'],
    ['//lh3.googleusercontent.com/p/x=w5', 'https://lh3.googleusercontent.com/p/x=s0'],
    ['x y', null],
  ] as const) {
    test(`${url} in full size is ${full}`, () => assert.equal(fullSizeUrl(url), full));
  }

  test('have their size in either order of the two lists', () => {
    const row = (places: Places) => mapsPhoto.parse(readPhoto(sparse({ '6.0': picture, ...places })));
    const url = picture.replace('w203-h152-k-no', 's0');
    const both = row({ '6.2': [40, 30], '21.2.2': [1, 2] });
    assert.deepEqual(both, { url, width: 40, height: 30, uploader: null });
    const swapped = row({ '21.2.2': [30, 40] });
    assert.deepEqual([swapped.width, swapped.height], [40, 30]);
    const unknown = row({ '6.2': [0, 0] });
    assert.deepEqual([unknown.width, unknown.height], [null, null]);
  });

  test('have their photographer, not the place or a copyright notice', () => {
    const uploader = (credit: unknown) =>
      readPhoto(sparse({ 6: [picture, 'Name of the place', [4, 3]], '21.4': credit })).uploader;
    assert.equal(uploader([[[['Images may be subject to copyright.']]]]), null);
    const profile_url = 'https://www.google.com/maps/contrib/1';
    assert.deepEqual(uploader([null, [[['Mira'], profile_url]]]), { name: 'Mira', profile_url });
  });

  test('of Street View are recognised by their kind or their server', () => {
    assert.ok(isStreetView(sparse({ 1: 0 })));
    assert.ok(isStreetView(sparse({ 1: 10, '6.0': 'https://streetviewpixels-pa.googleapis.com/v1/x' })));
    assert.ok(!isStreetView(sparse({ 1: 10, '6.0': picture })));
    assert.ok(!isStreetView(sparse()));
  });
});

describe('a rating', () => {
  for (const [ownRating, partner, scale, stars] of [
    [4, 9, 10, 4],
    [null, 9, 10, 4.5],
    [undefined, 8.3, 10, 4.2],
    [null, 3, 5, 3],
    [0, 1, 5, null],
    [6, 1, 5, null],
    [null, 11, 10, null],
    [null, 0, 10, null],
    [null, 4, null, null],
    [null, null, 5, null],
  ]) {
    test(`of ${ownRating}, and of ${partner} in ${scale} by a partner, is ${stars} stars`, () =>
      assert.equal(starsOf(ownRating, partner, scale), stars));
  }
});

describe('a review', () => {
  const face = 'https://lh3.googleusercontent.com/a-/x=s64';
  const profile = 'https://www.google.com/maps/contrib/1';
  const fullRow = {
    1: 5,
    2: ['a week ago', null, '1780080745417'],
    3: ['Mira', face, profile, 80, 7, [null, 1]],
    5: 'id',
  };
  const read = (places: Places = {}) => {
    const { id, review } = readReview(sparse({ ...fullRow, ...places }));
    return { id, review: mapsReview.parse(review) };
  };

  test('may have no text, photos and answer', () => {
    const author = {
      name: 'Mira',
      profile_url: profile,
      photo_url: face,
      is_local_guide: true,
      review_count: 80,
    };
    assert.deepEqual(read(), {
      id: 'id',
      review: {
        ...{ rating: 5, text: null, language: null, publish_time: '2026-05-29T18:52:25.417Z', author },
        ...{ photos: [], owner_response: null },
      },
    });
  });

  test('with photos at another position is platform_changed', () => {
    assert.equal(read({ 14: [[picture]] }).review.photos.length, 1);
    assert.throws(() => read({ 15: [[picture]] }), changed);
  });

  test('has plain text with line breaks and characters', () => {
    const answer = [null, 'x', 'Thank<br>you &#39;all&#39;'];
    const { review } = read({ 27: 'A &amp; B<br>&lt;3 &quot;x&quot;<br/><b>!</b>', 4: answer });
    assert.equal(review.text, 'A & B\n<3 "x"\n!');
    assert.deepEqual(review.owner_response, { text: "Thank\nyou 'all'", publish_time: null });
  });

  for (const [field, place] of Object.entries({ rating: 1, time: 2, author: 3, id: 5 })) {
    test(`without its ${field} is platform_changed`, () =>
      assert.throws(() => read({ [place]: null }), changed));
  }
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
  const fullRow = { '0.0': 'id', '0.1.2': 1770906476231835, '0.1.4.5': who, '0.2.0.0': 5 };
  const read = (places: Places) =>
    mapsReview.parse(readOlderReview(sparse({ ...fullRow, ...places })).review);

  test('has its time in microseconds, and a text that is not HTML', () => {
    const review = read({ '0.2.15.0.0': 'a <b> &amp;\nb', '0.2.14': ['en', 'el'] });
    assert.equal(review.publish_time, '2026-02-12T14:27:56.231Z');
    assert.deepEqual([review.text, review.language], ['a <b> &amp;\nb', 'en']);
  });

  test('with photos at another position is platform_changed', () => {
    const photos = [[null, sparse({ '6.0': picture })]];
    assert.equal(read({ '0.2.2': photos }).photos.length, 1);
    assert.throws(() => read({ '0.2.3': photos }), changed);
  });

  test('does not use the time of its last edit', () => {
    const edited = 1780906476231835;
    assert.throws(() => read({ '0.1.2': null, '0.1.3': edited }), changed);
    const answered = read({ '0.3.2': edited, '0.3.14': [['Thanks']] });
    assert.deepEqual(answered.owner_response, { text: 'Thanks', publish_time: null });
  });

  test('has an answer, with its time, only if there is a text', () => {
    const link = [null, null, null, null, null, 'https://business.google.com/reply'];
    assert.equal(read({ '0.3': link }).owner_response, null);
    const answered = read({ '0.3.1': 1720613883000000, '0.3.14': [['Thanks', null, [0, 6]]] });
    assert.deepEqual(answered.owner_response, { text: 'Thanks', publish_time: '2024-07-10T12:18:03.000Z' });
  });

  for (const [mark, isGuide] of [
    [[1, 5, 1], true],
    [[0, 3, 1], false],
    [[null, null, 0], false],
    ...[null, [], [null], [null, 5], [null, 5, 1], [undefined, null, null], ['1', 5, 1]].map((mark) => [
      mark,
      null,
    ]),
  ]) {
    test(`has an author with is_local_guide ${isGuide} for ${JSON.stringify(mark)}`, () =>
      assert.equal(read({ '0.1.4.5.8': mark }).author.is_local_guide, isGuide));
  }

  test('of 2023 has its author and text at other positions', () => {
    const profile = 'https://www.google.com/maps/contrib/2';
    const author = [[6, null, 1], 42, 62, 'https://x.example/p', 'Rudi', profile];
    const row = sparse({
      '0.0': 'id',
      '0.1.2': 1770906476231835,
      '0.1.4.0': author,
      '0.2': [[4], ['Text', 'de']],
    });
    const { review } = readOlderReview(row);
    assert.deepEqual([review.text, review.language, review.author.name], ['Text', 'de', 'Rudi']);
    assert.deepEqual([review.author.is_local_guide, review.author.review_count], [true, 42]);
  });
});

describe('rows of a search', () => {
  const node = sparse({ 10: '0x1:0x2', 11: 'Name' });
  const other = sparse({ 10: '0x1:0x3', 11: 'Other' });
  const row = (at: number, place = node) => sparse({ [at]: place });
  const header = sparse({ 10: 'header' });
  const nodesOf = (places: Places, query = 'bakery') => searchNodes(sparse(places), query).nodes;
  const departures = (id: string) => sparse({ '17.0': 'Name', '17.8': id, '17.1': [['Line 1', '0x7:0x8']] });
  const lines = sparse({ '17.1': [[null, 'Subway services', [['0x1:0x2', '0x7:0x8']]]] });
  const suggestion = [null, ['suggestion']];
  const sponsored = sparse({ 5: [['an advertisement', '0x3:0x4']] });

  for (const [name, places, nodes] of [
    ['are at the newer position', { 64: [row(1), row(1, other)] }, [node, other]],
    ['are at the older position', { '0.1': [header, row(14)] }, [node]],
    ['come from the newer position first', { '0.1': [row(14)], 64: [row(1), row(1, other)] }, [node, other]],
    ['come from the older position if the newer one is empty', { '0.1': [row(14)], 64: [] }, [node]],
    [
      'of departures are next to the station that they name',
      { '0.1': [row(14), departures('0x1:0x2')] },
      [node],
    ],
    ['of lines are next to their station', { '0.1': [row(14), lines] }, [node]],
    ['omit suggestions and sponsored rows', { 64: [sponsored, suggestion, row(1)] }, [node]],
  ] as const) {
    test(name, () => assert.deepEqual(nodesOf(places), nodes));
  }

  test('with the same place are one, and null rows are counted', () => {
    const { nodes, length, lost } = searchNodes(
      sparse({ 64: [row(1), null, row(1), row(1, other)] }),
      'bakery',
    );
    assert.deepEqual([nodes, length, lost], [[node, other], 4, 1]);
  });

  for (const [name, isNone, roots] of [
    ['are none if their list has no place', true, [{ 64: [] }, { '0.1': [header] }]],
    [
      'may be elsewhere if there is no list',
      false,
      [{}, { 0: null }, { 0: ['bakery'] }, { 64: [[null, ['x']]] }],
    ],
    [
      'may be elsewhere if another list has a place',
      false,
      [
        { '0.1': [header], 65: [row(1)] },
        { '0.1': [header], 64: [row(2), row(2)] },
        { '0.1': [header, row(15)] },
      ],
    ],
    ['that are empty are not proof of none', false, [{ 64: [null] }, { 64: [[]] }, { 64: [[null, null]] }]],
    [
      'without a node are not proof of none',
      false,
      [
        ...['x', [['x', null]], [[null, 'x']]].map((rows) => ({ '0.1': [header], 64: rows })),
        { '0.1': [header, null] },
      ],
    ],
  ] as [string, boolean, Places[]][]) {
    test(name, () => {
      for (const root of roots)
        assert.deepEqual(searchNodes(sparse(root), 'bakery'), {
          ...{ nodes: [], length: 0, lost: 0, emptyProof: { none: isNone } },
        });
    });
  }

  for (const [name, places] of [
    ['departures of another station', { '0.1': [row(14), departures('0x1:0x9')] }],
    ['an empty row', { 64: [row(1), [], row(1)] }],
    ['a row without a node', { 64: [row(1), [null, null]] }],
    ['a row whose first value is text', { 64: [row(1), ['x', null]] }],
    ['a row with text for a node', { 64: [row(1), [null, 'x']] }],
    ['a place in another shape of row', { 64: [row(1), row(2)] }],
  ] as const) {
    test(`are platform_changed with ${name}`, () => assert.throws(() => nodesOf(places), changed));
  }

  for (const [query, echo, isSame] of [
    ['bkry grz', 'bakery Graz', true],
    ['pizza place near the big red church', 'pizza', true],
    ['Café Müller', 'cafe muller', true],
    ['moskva kafe', 'москва кафе', true],
    ['48.2082, 16.3738', '48°12\'29.5"N 16°22\'25.7"E', true],
    ['coffee', 'hospitals in delhi', false],
    ['restaurants in Rome', 'museums in Paris', false],
    ['寿司 東京', '病院 大阪', false],
  ] as const) {
    test(`for “${echo}” ${isSame ? 'answer' : 'do not answer'} “${query}”`, () => {
      const read = () => nodesOf({ '0.0': echo, 64: [row(1)] }, query);
      if (isSame) assert.equal(read().length, 1);
      else assert.throws(read, changed);
    });
  }
});

describe('a thin answer', () => {
  const full = sparse({ '4.7': 4.5, '4.8': 9, 175: [1] });
  const thin = sparse({ '4.7': 4.5 });

  for (const [name, places, isThinNode] of [
    ['all the parts', { '4.7': 4.5, '4.8': 9, 175: [1] }, false],
    ['a rating without its count', { '4.7': 4.5, 175: [1] }, true],
    ['none of the large parts', { '4.7': 4.5, '4.8': 9 }, true],
    ['a day instead of a week', { '203.0': [['Mon', 1, [], [['x', [[9], [17]]]], 0, 1]], 175: [1] }, true],
    ['a rating and its count in words', { '4.3.1': '9 reviews', '4.7': 4.5, 100: [1] }, false],
    ['no rating', { 52: [1] }, false],
  ] as [string, Places, boolean][]) {
    test(`a place with ${name} is ${isThinNode ? '' : 'not '}thin`, () =>
      assert.equal(isThin(sparse(places)), isThinNode));
  }

  for (const [name, nodes, expected] of [
    ['a thin row', [thin], true],
    ['two of three thin rows', [thin, thin, full], true],
    ['one of two thin rows', [thin, full], false],
    ['rows without a rating', [sparse(), sparse()], false],
    ['no rows', [], false],
  ] as const) {
    test(`${name}: ${expected ? 'a thin search' : 'a search that is not thin'}`, () =>
      assert.equal(areThin(nodes), expected));
  }
});

describe('distance', () => {
  for (const [one, other, kilometres] of [
    [[0, 0], [0, 1], 111.2],
    [[48.8566, 2.3522], [51.5074, -0.1278], 343.6],
    [[90, 0], [-90, 50], 20_015.1],
    [[0, 179.99], [0, -179.99], 2.2],
  ] as const) {
    test(`from ${one} to ${other} is ${kilometres} km`, () => {
      const [from, to] = [one, other].map(([lat, lng]) => ({ lat, lng }));
      assert.equal(Math.round(distance(from as Point, to as Point) / 100) / 10, kilometres);
    });
  }

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
