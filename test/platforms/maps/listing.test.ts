import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { websiteOrNull } from '../../../lib/platforms/maps/links.js';
import { countInText, readListing } from '../../../lib/platforms/maps/listing.js';
import { mapsPlace } from '../../../lib/platforms/maps/objects.js';
import { sparse } from '../../support/sparse.js';

type Entry = readonly [readonly number[], unknown];
const listing = (...entries: readonly Entry[]) =>
  mapsPlace.parse(readListing(sparse({ 10: '0x1:0x2', 11: 'Name', ...entries })));

describe('what search and detail share', () => {
  test('the place_id is the page’s own, or else follows from the feature id in either place', () => {
    const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
    assert.equal(listing({ 78: placeId }).place_id, placeId);
    assert.equal(listing({ '227.0.4': placeId }).place_id, placeId);
    assert.equal(listing({ 78: 'EiRSdWUgSW52' }).place_id, 'ChIJAQAAAAAAAAARAgAAAAAAAAA');
    const elsewhere = readListing(sparse({ 11: 'Name', '227.0.0': '0x1:0x2' }));
    assert.equal(elsewhere.place_id, 'ChIJAQAAAAAAAAARAgAAAAAAAAA');
  });

  test('without an id, or with half of one, it is no place', () => {
    for (const node of [
      sparse({ 11: 'Name' }),
      sparse({ 11: 'Name', 10: '0x0:0x5' }),
      sparse({ 10: '0x1:0x2' }),
    ]) {
      assert.throws(() => readListing(node), { code: 'platform_changed' });
    }
  });

  test('the address falls back on the line of kind 1', () => {
    const lines: Entry = [
      [183, 0],
      [
        [7, [['Name']]],
        [2, [['Name, Street 1']]],
        [1, [['Street 1']]],
        [4, [['Town']]],
      ],
    ];
    assert.equal(listing(lines).formatted_address, 'Street 1');
    assert.equal(listing(lines, { 39: 'Street 1, Town' }).formatted_address, 'Street 1, Town');
    assert.equal(listing({ '183.0': [[7, [['Name']]]] }).formatted_address, null);
  });

  test('a point that cannot be is no location', () => {
    assert.deepEqual(listing({ 9: [null, null, -90, 180] }).location, { lat: -90, lng: 180 });
    for (const point of [
      [null, null, 91, 0],
      [null, null, 0, -181],
      [null, null, 5],
      [null, null, 'x', 5],
    ]) {
      assert.equal(listing({ 9: point }).location, null);
    }
  });

  test('a rating of 0 is none; a count of 0 is one', () => {
    assert.equal(listing({ '4.7': 0 }).rating, null);
    assert.equal(listing({ '4.7': 5.5 }).rating, null);
    assert.equal(listing({ '4.7': 1 }).rating, 1);
    assert.equal(listing({ '4.8': 0 }).user_ratings_total, 0);
    assert.equal(listing({ '4.3.1': '516 αξιολογήσεις' }).user_ratings_total, 516);
    const both = [
      [[4, 3, 1], '9 reviews'],
      [[4, 8], 10],
    ] as const;
    assert.equal(listing({ ...both, '4.7': 4.5 }).user_ratings_total, 10);
    assert.equal(listing(...both).user_ratings_total, 9);
    assert.equal(listing({ '4.7': 4.5, '4.8': 0 }).user_ratings_total, null);
    assert.equal(listing({ '4.7': 4.5, '4.8': 0, '4.3.1': '9 reviews' }).user_ratings_total, 9);
  });

  test('phones are given once each, as printed', () => {
    const { phone } = listing({ 178: [['25 101555', [['25 101555', 1]]], [null], ['25 101555']] });
    assert.equal(phone, '25 101555');
    const moved = listing({ 178: [[null, '25 101555', [[null, '25 101555', 1]]]] });
    assert.equal(moved.phone, '25 101555');
  });

  test('categories keep their order and lose what is no text', () => {
    assert.deepEqual(listing({ 13: ['Bar', null, 'Café', 5] }).categories, ['Bar', 'Café']);
  });

  test('categories that the platform names elsewhere are not none', () => {
    for (const slot of [76, 77])
      assert.throws(() => listing({ 14: ['Café'], ...[[slot], [['coffee_shop', null, 5]]] }), {
        code: 'platform_changed',
      });
    assert.deepEqual(listing({ 76: [] }).categories, []);
    // A town or a street has no category.
    assert.deepEqual(listing({ 76: [['locality', null, 5]] }).categories, []);
  });
});

describe('a count in words', () => {
  for (const [text, count] of [
    ['387 reviews', 387],
    ['4,246 reviews', 4246],
    ['1.284 Rezensionen', 1284],
    ['1 234 567 avis', 1_234_567],
    ['12\u202f345 avis', 12_345],
    ['1’284 Rezensionen', 1284],
    ['1,23,456 reviews', 123_456],
    ['1 review', 1],
    ['12345', 12_345],
    ['クチコミ 4,246 件', 4246],
  ] as const) {
    test(`“${text}” is ${count}`, () => assert.equal(countInText(text), count));
  }

  for (const text of [
    '1.2K reviews',
    '1,2 mil',
    '2 mil reseñas',
    '12 tys. opinii',
    '3 B yorum sayısı',
    '4.5',
    '3 of 5',
    '12M',
    '1,2345',
    'no reviews',
    '',
    `${'9'.repeat(30)} x`,
    null,
    7,
  ]) {
    test(`${JSON.stringify(text)} is no count`, () => assert.equal(countInText(text), null));
  }

  test('a count in any grouping is read back', () => {
    const signs = fc.constantFrom('.', ',', ' ', '\u00a0', '\u202f', '’', "'");
    fc.assert(
      fc.property(fc.nat(2_000_000_000), signs, (count, sign) => {
        const text = String(count).replace(/\B(?=(\d{3})+$)/g, sign);
        assert.equal(countInText(`${text} reviews`), count);
      }),
    );
  });
});

describe('website', () => {
  test('is unwrapped from the platform’s redirect', () => {
    const wrapped = '/url?q=https://linden.example/?a%3D1%26b%3D2&opi=79508299&sa=U';
    assert.equal(websiteOrNull(wrapped), 'https://linden.example/?a=1&b=2');
    assert.equal(websiteOrNull(`https://www.google.com${wrapped}`), 'https://linden.example/?a=1&b=2');
    assert.equal(websiteOrNull('http://linden.example/url?q=1'), 'http://linden.example/url?q=1');
    assert.equal(websiteOrNull('https://linden.example/'), 'https://linden.example/');
  });

  test('is null where it leads nowhere', () => {
    for (const none of ['/url?opi=1', '/url?q=javascript:alert(1)', 'javascript:alert(1)', '', null, 5]) {
      assert.equal(websiteOrNull(none), null, String(none));
    }
  });
});
