import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aboutTab } from '../../../lib/platforms/maps/about.js';
import { readDetail } from '../../../lib/platforms/maps/detail.js';
import { mapsPlaceDetail } from '../../../lib/platforms/maps/objects.js';
import { popularTimes } from '../../../lib/platforms/maps/popular-times.js';
import { sparse } from '../../support/sparse.js';

type Entry = readonly [readonly number[], unknown];
const detail = (...entries: readonly Entry[]) =>
  mapsPlaceDetail.parse(readDetail(sparse({ 10: '0x1:0x2', 11: 'Name', ...entries })));

describe('what a place’s page adds', () => {
  test('a node with an id and a name is a place of which nothing else is known', () => {
    const { place_id, name, categories, phone_numbers, ...rest } = detail();
    assert.equal(place_id, 'ChIJAQAAAAAAAAARAgAAAAAAAAA');
    assert.equal(name, 'Name');
    assert.deepEqual([categories, phone_numbers], [[], []]);
    assert.ok(Object.values(rest).every((value) => value === null));
  });

  test('the level of prices is the number of its symbols, and no range is made into one', () => {
    const level = (text: unknown) => detail({ '4.2': text }).price_level;
    assert.equal(level('€'), 1);
    assert.equal(level('₺₺₺'), 3);
    assert.equal(level('$$$$'), 4);
    for (const none of ['€€€€€', '$10–20', '€$', '10 €', 'lei', '', 2, null]) assert.equal(level(none), null);
    assert.equal(detail({ '4.4': '££' }).price_level, 2);
  });

  test('ratings by stars are five counts from one star up, or none', () => {
    const of = (counts: unknown, path: number[] = [175, 3]) => detail([path, counts]).rating_distribution;
    assert.deepEqual(of([1, 2, 3, 4, 5]), { '1': 1, '2': 2, '3': 3, '4': 4, '5': 5 });
    assert.deepEqual(of([0, 0, 0, 0, 7], [52, 3]), { '1': 0, '2': 0, '3': 0, '4': 0, '5': 7 });
    for (const none of [[1, 2, 3, 4], [1, 2, 3, 4, null], [1, 2, 3, 4, -5], 'x', null]) {
      assert.equal(of(none), null);
    }
  });

  test('a listing with an invitation to claim it is unclaimed, even beside an owner’s number', () => {
    const invitation: Entry = [[49], ['https://business.google.com/create?fp=2', 'Claim']];
    const owner: Entry = [[57], [null, 'Name (Owner)', '104512345678901230001']];
    assert.equal(detail(invitation).is_claimed, false);
    assert.equal(detail({ 226: ['https://business.google.com/local/business/setup'] }).is_claimed, false);
    assert.equal(detail(invitation, owner).is_claimed, false);
    assert.equal(detail(owner).is_claimed, true);
    assert.equal(detail({ '181.6': '104512345678901230001' }).is_claimed, true);
    assert.equal(detail({ '227.0.6': '104512345678901230001' }).is_claimed, true);
    assert.equal(detail({ 57: [null, 'Name (Owner)'] }).is_claimed, null);
  });
});

describe('popular times', () => {
  const times = (...days: unknown[]) => popularTimes(sparse({ '84.0': days }));

  test('count days from Sunday and keep the figures that can be', () => {
    assert.deepEqual(
      times(
        [
          7,
          [
            [6, 0, ''],
            [23, 100],
          ],
        ],
        [1, [[12, 55]]],
      ),
      [
        {
          day: 0,
          hours: [
            { hour: 6, busyness_percent: 0 },
            { hour: 23, busyness_percent: 100 },
          ],
        },
        { day: 1, hours: [{ hour: 12, busyness_percent: 55 }] },
      ],
    );
    assert.deepEqual(
      times([
        2,
        [
          [24, 5],
          [5, 101],
          [5, -1],
          [null, 5],
          [5, null],
          [6, 7],
        ],
      ]),
      [{ day: 2, hours: [{ hour: 6, busyness_percent: 7 }] }],
    );
  });

  test('a day off is there without hours; no figure at all is null', () => {
    assert.deepEqual(times([7, [[6, 5]]], [1, null]), [
      { day: 0, hours: [{ hour: 6, busyness_percent: 5 }] },
      { day: 1, hours: [] },
    ]);
    assert.equal(times([7, null], [1, []]), null);
    assert.equal(times([0, [[6, 5]]], [8, [[6, 5]]]), null);
    assert.equal(times(), null);
    assert.equal(popularTimes(null), null);
  });
});

describe('the About tab', () => {
  const about = (...items: unknown[]) =>
    aboutTab(sparse({ '100.1': [['id', 'Title', items]] }))?.[0]?.attributes;

  test('takes yes and no from the number, never from the words', () => {
    assert.deepEqual(
      about(['/a', 'Delivery', [1, [[1, 'x']]], null], ['/b', 'Parking', [1, [[0, 'No parking']]], 1]),
      [
        { name: 'Delivery', available: true },
        { name: 'Parking', available: false },
      ],
    );
    assert.deepEqual(about(['/a', 'Delivery', [1, [['1', 'x']]]], ['/b', 'Parking', null]), [
      { name: 'Delivery', available: null },
      { name: 'Parking', available: null },
    ]);
  });

  test('names the kind that applies and each of several', () => {
    assert.deepEqual(
      about(['/w', 'Wi-Fi', [2, null, null, ['/g/1', null, 'Free Wi-Fi', 'Free Wi-Fi']], null]),
      [{ name: 'Free Wi-Fi', available: true }],
    );
    const cards = [
      [
        ['/g/1', null, 'VISA'],
        ['/g/2', null, 'Discover'],
      ],
      null,
      [1],
    ];
    assert.deepEqual(about(['/c', 'Cards', [3, null, null, null, [null, [cards]]], null]), [
      { name: 'VISA', available: true },
      { name: 'Discover', available: true },
    ]);
  });

  test('leaves out what has no name, and is null without a section', () => {
    const group = ['/a', 'Named', [1, [[1, 'x']]]];
    assert.deepEqual(about(group, ['/b', '', null], 'text', null), [{ name: 'Named', available: true }]);
    assert.equal(aboutTab(sparse({ '100.1': [['id', 'Title', [['/a', null]]]] })), null);
    assert.equal(aboutTab(sparse({ '100.1': [] })), null);
    assert.equal(aboutTab(sparse({ '100.1': [['id', null, []]] })), null);
    assert.equal(aboutTab(sparse({ '100.1': 'x' })), null);
  });
});
