import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { websiteOrNull } from '../../../lib/platforms/maps/links.js';
import { countInText, readListing } from '../../../lib/platforms/maps/listing.js';
import { mapsPlace } from '../../../lib/platforms/maps/objects.js';
import { type Places, sparse } from '../../support/sparse.js';

const listing = (places: Places) =>
  mapsPlace.parse(readListing(sparse({ 10: '0x1:0x2', 11: 'Name', ...places })));

describe('the fields of a search row and of a place’s page', () => {
  const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
  const line = (kind: number, text: string) => [kind, [[text]]];
  const lines = [line(7, 'Name'), line(2, 'Name, Street 1'), line(1, 'Street 1'), line(4, 'Town')];
  const idOfFeature = 'ChIJAQAAAAAAAAARAgAAAAAAAAA';
  const phone = '25 101555';
  const rated = { '4.7': 4.5 };
  const words = { '4.3.1': '9 reviews' };

  for (const [name, places, expected] of [
    ['the place_id is that of the page', { 78: placeId }, { place_id: placeId }],
    ['the place_id may be at another position', { '227.0.4': placeId }, { place_id: placeId }],
    ['the place_id follows from the feature id', { 78: 'EiRSdWUgSW52' }, { place_id: idOfFeature }],
    ['the address is the line of kind 1', { '183.0': lines }, { formatted_address: 'Street 1' }],
    ['the complete address wins', { '183.0': lines, 39: 'S 1, Town' }, { formatted_address: 'S 1, Town' }],
    ['the address is not the name', { '183.0': [[7, [['Name']]]] }, { formatted_address: null }],
    ['a point is a location', { 9: [null, null, -90, 180] }, { location: { lat: -90, lng: 180 } }],
    ['a latitude above 90 is no location', { 9: [null, null, 91, 0] }, { location: null }],
    ['a longitude below −180 is no location', { 9: [null, null, 0, -181] }, { location: null }],
    ['half a point is no location', { 9: [null, null, 5] }, { location: null }],
    ['words are no location', { 9: [null, null, 'x', 5] }, { location: null }],
    ['a rating of 0 is null', { '4.7': 0 }, { rating: null }],
    ['a rating above 5 is null', { '4.7': 5.5 }, { rating: null }],
    ['a rating of 1 is 1', { '4.7': 1 }, { rating: 1 }],
    ['a count of 0 is 0', { '4.8': 0 }, { user_ratings_total: 0 }],
    ['a count may be in words', { '4.3.1': '516 αξιολογήσεις' }, { user_ratings_total: 516 }],
    [
      'the number wins over words if there is a rating',
      { ...words, '4.8': 10, ...rated },
      { user_ratings_total: 10 },
    ],
    ['words win over the number without a rating', { ...words, '4.8': 10 }, { user_ratings_total: 9 }],
    ['a count of 0 next to a rating is unknown', { ...rated, '4.8': 0 }, { user_ratings_total: null }],
    ['a count in words replaces that 0', { ...rated, '4.8': 0, ...words }, { user_ratings_total: 9 }],
    ['a phone listed twice is one', { 178: [[phone, [[phone, 1]]], [null], [phone]] }, { phone }],
    ['a phone may be at the second position', { 178: [[null, phone, [[null, phone, 1]]]] }, { phone }],
    ['categories are texts, in order', { 13: ['Bar', null, 'Café', 5] }, { categories: ['Bar', 'Café'] }],
    ['an empty list has no categories', { 76: [] }, { categories: [] }],
    ['a town or a street has no category', { 76: [['locality', null, 5]] }, { categories: [] }],
  ] as const) {
    test(name, () => assert.deepEqual({ ...listing(places), ...expected }, listing(places)));
  }

  for (const [name, places] of [
    ['without an id', { 10: null }],
    ['with half an id', { 10: '0x0:0x5' }],
    ['without a name', { 11: null }],
    ['with categories at position 76', { 14: ['Café'], 76: [['coffee_shop', null, 5]] }],
    ['with categories at position 77', { 14: ['Café'], 77: [['coffee_shop', null, 5]] }],
  ] as const) {
    test(`a place ${name} has changed`, () =>
      assert.throws(() => listing(places), { code: 'platform_changed' }));
  }

  test('the feature id may be at another position', () => {
    const { place_id } = readListing(sparse({ 11: 'Name', '227.0.0': '0x1:0x2' }));
    assert.equal(place_id, idOfFeature);
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
    ...['1.2K reviews', '1,2 mil', '2 mil reseñas', '12 tys. opinii', '3 B yorum sayısı', '4.5', '3 of 5'],
    ...['12M', '1,2345', 'no reviews', '', `${'9'.repeat(30)} x`, null, 7],
  ]) {
    test(`${JSON.stringify(text)} is not a count`, () => assert.equal(countInText(text), null));
  }

  test('a count with any separator is read back', () => {
    const signs = fc.constantFrom('.', ',', ' ', '\u00a0', '\u202f', '’', "'");
    fc.assert(
      fc.property(fc.nat(2_000_000_000), signs, (count, sign) => {
        const text = String(count).replace(/\B(?=(\d{3})+$)/g, sign);
        assert.equal(countInText(`${text} reviews`), count);
      }),
    );
  });
});

describe('a website', () => {
  const wrapped = '/url?q=https://linden.example/?a%3D1%26b%3D2&opi=79508299&sa=U';
  for (const [link, website] of [
    [wrapped, 'https://linden.example/?a=1&b=2'],
    [`https://www.google.com${wrapped}`, 'https://linden.example/?a=1&b=2'],
    ['http://linden.example/url?q=1', 'http://linden.example/url?q=1'],
    ['https://linden.example/', 'https://linden.example/'],
    ...['/url?opi=1', '/url?q=javascript:alert(1)', 'javascript:alert(1)', '', null, 5].map((link) => [
      link,
      null,
    ]),
  ]) {
    test(`from the link ${JSON.stringify(link)} is ${website}`, () =>
      assert.equal(websiteOrNull(link), website));
  }
});
