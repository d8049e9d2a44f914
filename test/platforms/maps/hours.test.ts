import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { hasHours, hasPartOfWeek, openingHours, openState } from '../../../lib/platforms/maps/hours.js';
import { mapsPlace } from '../../../lib/platforms/maps/objects.js';
import { sparse } from '../../support/sparse.js';

type Span = readonly [from: readonly number[], to: readonly number[]];
const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const nine: Span = [[9], [17, 30]];

/** A day of the current list; no spans are a closed day. */
function day(number: number, ...spans: readonly Span[]): unknown[] {
  const slots = spans.length === 0 ? [['Closed']] : spans.map((span) => ['hours', span]);
  return [names[number - 1], number, [2026, 8, 24 + number], slots, 0, spans.length === 0 ? 2 : 1];
}

/** A node whose days are all nine to half past five, except those passed. */
function week(...others: readonly unknown[][]): unknown[] {
  const days = [6, 7, 1, 2, 3, 4, 5].map(
    (number) => others.find((one) => one[1] === number) ?? day(number, nine),
  );
  return sparse({ '203.0': days });
}

const hoursOf = (node: unknown) => {
  const hours = openingHours(node);
  mapsPlace.shape.opening_hours.parse(hours);
  return hours;
};
const on = (node: unknown, weekday: number) =>
  hoursOf(node)?.periods.filter(({ open }) => open.day === weekday);

describe('opening hours', () => {
  test('begin on Sunday, whichever day the list begins with, and name the days from Monday on', () => {
    const hours = hoursOf(week());
    assert.deepEqual(
      hours?.periods.map(({ open }) => open.day),
      [0, 1, 2, 3, 4, 5, 6],
    );
    assert.deepEqual(hours?.periods[0], { open: { day: 0, time: '0900' }, close: { day: 0, time: '1730' } });
    assert.deepEqual(
      hours?.weekday_text,
      names.map((name) => `${name}: hours`),
    );
  });

  test('a number that is left out is 0', () => {
    assert.deepEqual(on(week(day(3, [[], [23]])), 3), [
      { open: { day: 3, time: '0000' }, close: { day: 3, time: '2300' } },
    ]);
  });

  test('a number that is null before another is 0 where the words say so, and unknown else', () => {
    const spanned = (words: string | null, from: readonly unknown[]) =>
      hoursOf(week(['Wed', 3, [2026, 8, 27], [[words, [from, [23]]]], 0, 1]));
    assert.deepEqual(
      spanned('12:30 AM–11 PM', [null, 30])?.periods.find(({ open }) => open.day === 3),
      { open: { day: 3, time: '0030' }, close: { day: 3, time: '2300' } },
    );
    for (const [words, from] of [
      [null, [null, 30]],
      ['hours', [null, 30]],
      [null, [null]],
      ['hours', [9, null]],
      ['9 AM–11 PM', [null]],
    ] as const) {
      assert.equal(spanned(words, from), null, JSON.stringify([words, from]));
    }
  });

  test('a split day has two periods and one line', () => {
    const hours = hoursOf(week(day(2, [[8], [12]], [[14, 5], [19]])));
    assert.deepEqual(
      hours?.periods.filter(({ open }) => open.day === 2).map(({ open, close }) => [open.time, close?.time]),
      [
        ['0800', '1200'],
        ['1405', '1900'],
      ],
    );
    assert.equal(hours?.weekday_text[1], 'Tue: hours, hours');
  });

  test('a close at or before the opening is on the next day, from Saturday on Sunday', () => {
    assert.deepEqual(on(week(day(6, [[18], [2, 15]])), 6), [
      { open: { day: 6, time: '1800' }, close: { day: 0, time: '0215' } },
    ]);
    assert.deepEqual(on(week(day(1, [[7], []])), 1), [
      { open: { day: 1, time: '0700' }, close: { day: 2, time: '0000' } },
    ]);
    assert.deepEqual(on(week(day(1, [[20], [26]])), 1), [
      { open: { day: 1, time: '2000' }, close: { day: 2, time: '0200' } },
    ]);
  });

  test('one day around the clock ends at the next midnight', () => {
    assert.deepEqual(on(week(day(5, [[], []])), 5), [
      { open: { day: 5, time: '0000' }, close: { day: 6, time: '0000' } },
    ]);
  });

  test('a week around the clock is one period without a close', () => {
    const node = week(...[1, 2, 3, 4, 5, 6, 7].map((number) => day(number, [[], []])));
    assert.deepEqual(hoursOf(node)?.periods, [{ open: { day: 0, time: '0000' }, close: null }]);
    assert.equal(hoursOf(node)?.weekday_text.length, 7);
  });

  test('a time that a day lists twice counts once', () => {
    const always = week(...[1, 2, 3, 4, 5, 6, 7].map((number) => day(number, [[], []], [[], []])));
    assert.deepEqual(hoursOf(always)?.periods, [{ open: { day: 0, time: '0000' }, close: null }]);
    const twice = hoursOf(week(day(2, nine, nine)));
    assert.equal(twice?.periods.length, 7);
    assert.equal(twice?.weekday_text[1], 'Tue: hours');
  });

  test('a closed day has a line and no period', () => {
    const hours = hoursOf(week(day(7)));
    assert.equal(hours?.periods.length, 6);
    assert.equal(hours?.weekday_text[6], 'Sun: Closed');
  });

  test('a place closed every day has seven lines and no period', () => {
    const hours = hoursOf(week(...[1, 2, 3, 4, 5, 6, 7].map((number) => day(number))));
    assert.deepEqual(hours?.periods, []);
    assert.equal(hours?.weekday_text.length, 7);
  });

  test('words without numbers on an open day leave the hours unknown', () => {
    const words = ['Tue', 2, [2026, 8, 25], [['By appointment']], 0, 1];
    assert.equal(hoursOf(week(words)), null);
    assert.equal(hoursOf(week(['Tue', 2, [2026, 8, 25], [['x', [[9], [99]]]], 0, 1])), null);
    assert.equal(hoursOf(week(['Tue', 2, [2026, 8, 25], [], 0, 1])), null);
  });

  test('a day that is missing leaves the hours unknown, and is the mark of a thin page', () => {
    const part = sparse({ '203.0': [day(6, nine)] });
    assert.equal(hoursOf(part), null);
    assert.ok(hasPartOfWeek(part));
    assert.ok(hasHours(part));
    assert.ok(!hasPartOfWeek(week()));
    assert.ok(!hasPartOfWeek(sparse()));
  });

  test('a day listed twice counts once', () => {
    const node = sparse({ '203.0': [...[1, 2, 3, 4, 5, 6, 7].map((n) => day(n, nine)), day(1, [[5], [6]])] });
    assert.equal(hoursOf(node)?.periods.length, 7);
  });

  test('hours of a delivery service are not the place’s own', () => {
    const delivery = [1, 2, 3, 4, 5, 6, 7].map((number) => day(number, nine));
    assert.equal(hoursOf(sparse({ 118: [['Delivery', null, null, [delivery]]] })), null);
  });

  test('a name that is missing leaves the lines out, not the hours', () => {
    const hours = hoursOf(week([null, 2, [2026, 8, 25], [['hours', nine]], 0, 1]));
    assert.equal(hours?.periods.length, 7);
    assert.deepEqual(hours?.weekday_text, []);
  });
});

describe('the list of hours until 2025', () => {
  const older = (index: number, flag: number, ...spans: readonly (readonly number[])[]) => [
    names[index],
    [flag === 2 ? 'Closed' : 'hours'],
    null,
    null,
    `2024-10-${14 + index}`,
    flag,
    flag === 2 ? null : spans,
    0,
  ];
  const list = [
    older(0, 2),
    ...[1, 2, 3, 4].map((n) => older(n, 1, [7, 0, 20, 30])),
    older(5, 1, [9, 0, 1, 0]),
    older(6, 1, [0, 0, 0, 0]),
  ];

  test('takes the day from its date and gives the same periods', () => {
    const hours = hoursOf(sparse({ '34.1': list }));
    assert.deepEqual(hours?.periods[0], { open: { day: 0, time: '0000' }, close: { day: 1, time: '0000' } });
    assert.deepEqual(hours?.periods.at(-1), {
      open: { day: 6, time: '0900' },
      close: { day: 0, time: '0100' },
    });
    assert.equal(hours?.weekday_text[0], 'Mon: Closed');
    assert.equal(hours?.periods.length, 6);
  });

  test('is read only where the current list does not hold the week', () => {
    const both = sparse({ '34.1': list, '203.0': [day(1, nine)] });
    assert.equal(hoursOf(both)?.periods.length, 6);
    const empty = sparse({ '34.1': list, '203.0': [] });
    assert.equal(hoursOf(empty)?.periods.length, 6);
  });

  test('an hour or a minute that is not said is unknown, and no midnight: here every 0 is written', () => {
    for (const span of [
      [null, 0, 20, 30],
      [7, null, 20, 30],
      [7, 0, null, 30],
      [7, 0, 20, null],
      [null, null, null, null],
    ]) {
      assert.equal(hoursOf(sparse({ '34.1': list.with(1, older(1, 1, span as number[])) })), null);
    }
  });

  test('without dates gives no hours', () => {
    const dateless = list.map((entry) => entry.with(4, null));
    assert.equal(hoursOf(sparse({ '34.1': dateless })), null);
    assert.equal(hoursOf(sparse({ '34.1': list.map((entry) => entry.with(4, 'Monday')) })), null);
  });
});

describe('open now', () => {
  test('is what the number says, and null for one that is not known', () => {
    const state = (value: unknown) => openState(sparse({ '203.1.2': value }));
    assert.equal(state(1), true);
    for (const closed of [4, 5, 6]) assert.equal(state(closed), false);
    for (const unknown of [0, 2, 9, '1', null]) assert.equal(state(unknown), null);
    assert.equal(openState(undefined), null);
  });
});

test('any list of days gives hours that the contract allows, or none', () => {
  const number = fc.oneof(fc.nat(30), fc.constant(null), fc.constant('9'), fc.integer());
  const span = fc.tuple(fc.array(number, { maxLength: 2 }), fc.array(number, { maxLength: 2 }));
  const entry = fc.tuple(
    fc.oneof(fc.string(), fc.constant(null)),
    fc.nat(8),
    fc.constant([2026, 1, 1]),
    fc.array(fc.tuple(fc.string(), fc.oneof(span, fc.constant(null))), { maxLength: 3 }),
    fc.constant(0),
    fc.nat(2),
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 9 }), (days) => {
      hoursOf(sparse({ '203.0': days }));
    }),
  );
});
