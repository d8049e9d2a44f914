import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aboutTab, popularTimes, readDetail } from '../../../lib/platforms/maps/detail.js';
import { mapsPlaceDetail } from '../../../lib/platforms/maps/objects.js';
import { type Places, sparse } from '../../support/sparse.js';

const detail = (places: Places = {}) =>
  mapsPlaceDetail.parse(readDetail(sparse({ 10: '0x1:0x2', 11: 'Name', ...places })));

describe('the details of a place’s page', () => {
  test('are null for a node with only an id and a name', () => {
    const { place_id, name, categories, phone_numbers, ...rest } = detail();
    assert.deepEqual([place_id, name], ['ChIJAQAAAAAAAAARAgAAAAAAAAA', 'Name']);
    assert.deepEqual([categories, phone_numbers], [[], []]);
    assert.ok(Object.values(rest).every((value) => value === null));
  });

  for (const [symbols, level] of [
    ['€', 1],
    ['₺₺₺', 3],
    ['$$$$', 4],
    ...['€€€€€', '$10–20', '€$', '10 €', 'lei', '', 2, null].map((symbols) => [symbols, null]),
  ]) {
    test(`have the price level ${level} for ${JSON.stringify(symbols)}`, () =>
      assert.equal(detail({ '4.2': symbols }).price_level, level));
  }

  test('have the price level from another position, too', () =>
    assert.equal(detail({ '4.4': '££' }).price_level, 2));

  for (const [places, counts] of [
    [{ '175.3': [1, 2, 3, 4, 5] }, { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 }],
    [{ '52.3': [0, 0, 0, 0, 7] }, { 1: 0, 2: 0, 3: 0, 4: 0, 5: 7 }],
    ...[[1, 2, 3, 4], [1, 2, 3, 4, null], [1, 2, 3, 4, -5], 'x', null].map(
      (x) => [{ '175.3': x }, null] as const,
    ),
  ] as const) {
    test(`have the ratings ${JSON.stringify(counts)} for ${JSON.stringify(places)}`, () =>
      assert.deepEqual(detail(places).rating_distribution, counts));
  }

  const invitation = { 49: ['https://business.google.com/create?fp=2', 'Claim'] };
  const owner = { 57: [null, 'Name (Owner)', '104512345678901230001'] };
  for (const [name, places, isClaimed] of [
    ['an invitation to claim it', invitation, false],
    ['a link to set it up', { 226: ['https://business.google.com/local/business/setup'] }, false],
    ['an invitation next to an owner’s number', { ...invitation, ...owner }, false],
    ['an owner’s number', owner, true],
    ['an owner’s number at position 181', { '181.6': '104512345678901230001' }, true],
    ['an owner’s number at position 227', { '227.0.6': '104512345678901230001' }, true],
    ['an owner without a number', { 57: [null, 'Name (Owner)'] }, null],
  ] as [string, Places, boolean | null][]) {
    test(`have is_claimed ${isClaimed} with ${name}`, () =>
      assert.equal(detail(places).is_claimed, isClaimed));
  }
});

describe('popular times', () => {
  const times = (...days: unknown[]) => popularTimes(sparse({ '84.0': days }));
  const hour = (hour: number, busyness_percent: number) => ({ hour, busyness_percent });

  test('count days from Sunday, and include a closed day without hours', () => {
    const sunday = { day: 0, hours: [hour(6, 0), hour(23, 100)] };
    assert.deepEqual(times([7, [...[[6, 0, '']], [23, 100]]], [1, [[12, 55]]], [2, null]), [
      sunday,
      { day: 1, hours: [hour(12, 55)] },
      { day: 2, hours: [] },
    ]);
  });

  for (const figure of ['24,5', '5,101', '5,-1', ',5', '5,']) {
    test(`omit the impossible figure ${figure}`, () => {
      const [at, busy] = figure.split(',').map((text) => (text === '' ? null : Number(text)));
      assert.deepEqual(times([2, [...[[at, busy]], [6, 7]]]), [{ day: 2, hours: [hour(6, 7)] }]);
    });
  }

  test('are null without a possible figure', () => {
    assert.equal(times([7, null], [1, []]), null);
    assert.equal(times([0, [[6, 5]]], [8, [[6, 5]]]), null);
    assert.equal(times(), null);
    assert.equal(popularTimes(null), null);
  });
});

describe('the About tab', () => {
  /** The attributes of a section with these items, as `name: available`. */
  const about = (...items: unknown[]) => {
    const [section] = aboutTab(sparse({ '100.1': [['id', 'Title', items]] })) ?? [];
    return Object.fromEntries(section?.attributes.map(({ name, available }) => [name, available]) ?? []);
  };
  const card = (id: string, name: string) => [id, null, name];
  const cards = [[[card('/g/1', 'A'), card('/g/2', 'B')], null, [1]]];

  for (const [name, item, expected] of [
    ['reads yes from a number', ['/a', 'Delivery', [1, [[1, 'x']]], null], { Delivery: true }],
    [
      'reads no from a number, whatever the words',
      ['/b', 'Parking', [1, [[0, 'Parking']]], 1],
      { Parking: false },
    ],
    ['has null for another value', ['/a', 'Delivery', [1, [['1', 'x']]]], { Delivery: null }],
    ['has null for a missing value', ['/b', 'Parking', null], { Parking: null }],
    ['names the kind that applies', ['/w', 'Wi-Fi', [2, null, null, card('/g/1', 'Free')]], { Free: true }],
    [
      'names each of several kinds',
      ['/c', 'Cards', [3, null, null, null, [null, cards]]],
      { A: true, B: true },
    ],
    ['omits an item without a name', ['/b', '', null], {}],
    ['omits a text', 'text', {}],
    ['omits null', null, {}],
  ] as [string, unknown, object][]) {
    test(name, () => {
      const named = ['/n', 'Named', [1, [[1, 'x']]]];
      assert.deepEqual(about(named, item), { Named: true, ...expected });
    });
  }

  for (const sections of [[['id', 'Title', [['/a', null]]]], [], [['id', null, []]], 'x'])
    test(`is null for ${JSON.stringify(sections)}`, () =>
      assert.equal(aboutTab(sparse({ '100.1': sections })), null));
});
