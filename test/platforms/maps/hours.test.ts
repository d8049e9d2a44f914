import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { hasHours, hasPartOfWeek, openingHours, openState } from '../../../lib/platforms/maps/hours.js';
import { canMean } from '../../../lib/platforms/maps/hours-in-words.js';
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
/** Periods as text, such as `3 0900–3 1730`; null for unknown hours. */
const periodsOf = (node: unknown) =>
  hoursOf(node)?.periods.map(({ open, close }) =>
    [open, ...(close === null ? [] : [close])].map(({ day, time }) => `${day} ${time}`).join('–'),
  ) ?? null;
const on = (node: unknown, weekday: number) =>
  periodsOf(node)?.filter((period) => period.startsWith(String(weekday))) ?? null;
const everyDay = (...spans: readonly Span[]) => week(...[1, 2, 3, 4, 5, 6, 7].map((n) => day(n, ...spans)));

describe('opening hours', () => {
  test('begin on Sunday, whichever day the list begins with, and have texts from Monday on', () => {
    assert.deepEqual(
      periodsOf(week()),
      [0, 1, 2, 3, 4, 5, 6].map((n) => `${n} 0900–${n} 1730`),
    );
    assert.deepEqual(
      hoursOf(week())?.weekday_text,
      names.map((name) => `${name}: hours`),
    );
  });

  for (const [name, entry, periods] of [
    ['a missing number is 0', day(3, [[], [23]]), ['3 0000–3 2300']],
    ['a split day has two periods', day(2, [[8], [12]], [[14, 5], [19]]), ['2 0800–2 1200', '2 1405–2 1900']],
    ['a close after midnight is on the next day', day(6, [[18], [2, 15]]), ['6 1800–0 0215']],
    ['a close at midnight is on the next day', day(1, [[7], []]), ['1 0700–2 0000']],
    ['a close at hour 26 is on the next day', day(1, [[20], [26]]), ['1 2000–2 0200']],
    ['a day of 24 hours ends at the next midnight', day(5, [[], []]), ['5 0000–6 0000']],
    ['a time that a day lists twice is one period', day(2, nine, nine), ['2 0900–2 1730']],
    ['a closed day has no period', day(7), []],
  ] as [string, unknown[], string[]][]) {
    test(name, () => assert.deepEqual(on(week(entry), (entry[1] as number) % 7), periods));
  }

  for (const [name, entry, line] of [
    ['a split day', day(2, [[8], [12]], [[14, 5], [19]]), 'Tue: hours, hours'],
    ['a time that it lists twice', day(2, nine, nine), 'Tue: hours'],
    ['a closed day', day(2), 'Tue: Closed'],
  ] as const) {
    test(`${name} has one line`, () => assert.equal(hoursOf(week(entry))?.weekday_text[1], line));
  }

  for (const [words, from, periods] of [
    ['12:30 AM–11 PM', [null, 30], ['3 0030–3 2300']],
    [null, [null, 30], null],
    ['hours', [null, 30], null],
    [null, [null], null],
    ['hours', [9, null], null],
    ['9 AM–11 PM', [null], null],
  ] as const) {
    test(`are ${periods ?? 'unknown'} from ${JSON.stringify(from)} and the words ${words}`, () => {
      const wednesday = ['Wed', 3, [2026, 8, 27], [[words, [from, [23]]]], 0, 1];
      assert.deepEqual(on(week(wednesday), 3), periods);
    });
  }

  for (const [name, node, periods] of [
    ['of 24 hours are one period without a close', everyDay([[], []]), ['0 0000']],
    ['of 24 hours, listed twice, are the same', everyDay([[], []], [[], []]), ['0 0000']],
    ['of closed days have no period', everyDay(), []],
  ] as const) {
    test(`of a week ${name}, and have seven lines`, () => {
      assert.deepEqual(periodsOf(node), periods);
      assert.equal(hoursOf(node)?.weekday_text.length, 7);
    });
  }

  for (const [name, node] of [
    ['words without numbers on an open day', week(['Tue', 2, [2026, 8, 25], [['By appointment']], 0, 1])],
    ['an hour that cannot be', week(['Tue', 2, [2026, 8, 25], [['x', [[9], [99]]]], 0, 1])],
    ['an open day without hours', week(['Tue', 2, [2026, 8, 25], [], 0, 1])],
    ['a week with a missing day', sparse({ '203.0': [day(6, nine)] })],
    [
      'the hours of a delivery service',
      sparse({ 118: [['Delivery', null, null, [[1, 2].map((n) => day(n, nine))]]] }),
    ],
  ] as const) {
    test(`are unknown with ${name}`, () => assert.equal(hoursOf(node), null));
  }

  test('of a part of the week are the mark of a thin page', () => {
    const part = sparse({ '203.0': [day(6, nine)] });
    assert.deepEqual([hasPartOfWeek(part), hasHours(part)], [true, true]);
    assert.deepEqual([hasPartOfWeek(week()), hasPartOfWeek(sparse())], [false, false]);
  });

  test('have a day once that is listed twice', () => {
    const days = [...[1, 2, 3, 4, 5, 6, 7].map((n) => day(n, nine)), day(1, [[5], [6]])];
    assert.equal(periodsOf(sparse({ '203.0': days }))?.length, 7);
  });

  test('have no lines, but their periods, without the name of a day', () => {
    const hours = hoursOf(week([null, 2, [2026, 8, 25], [['hours', nine]], 0, 1]));
    assert.deepEqual([hours?.periods.length, hours?.weekday_text], [7, []]);
  });
});

describe('the list of hours until 2025', () => {
  const older = (index: number, flag: number, ...spans: readonly (readonly unknown[])[]) => {
    const [words, hours] = flag === 2 ? ['Closed', null] : ['hours', spans];
    return [names[index], [words], null, null, `2024-10-${14 + index}`, flag, hours, 0];
  };
  const list = [
    older(0, 2),
    ...[1, 2, 3, 4].map((n) => older(n, 1, [7, 0, 20, 30])),
    older(5, 1, [9, 0, 1, 0]),
    older(6, 1, [0, 0, 0, 0]),
  ];

  test('has its days by their dates', () => {
    const weekdays = [2, 3, 4, 5].map((n) => `${n} 0700–${n} 2030`);
    assert.deepEqual(periodsOf(sparse({ '34.1': list })), ['0 0000–1 0000', ...weekdays, '6 0900–0 0100']);
    assert.equal(hoursOf(sparse({ '34.1': list }))?.weekday_text[0], 'Mon: Closed');
  });

  test('is read only if the current list lacks the week', () => {
    for (const current of [[day(1, nine)], []])
      assert.equal(periodsOf(sparse({ '34.1': list, '203.0': current }))?.length, 6);
  });

  for (const span of [
    [null, 0, 20, 30],
    [7, null, 20, 30],
    [7, 0, null, 30],
    [7, 0, 20, null],
    [null, null, null, null],
  ]) {
    test(`has unknown hours with ${JSON.stringify(span)}, because it writes every 0`, () =>
      assert.equal(hoursOf(sparse({ '34.1': list.with(1, older(1, 1, span)) })), null));
  }

  for (const date of [null, 'Monday']) {
    test(`is ignored if its dates are ${date}`, () =>
      assert.equal(hoursOf(sparse({ '34.1': list.map((entry) => entry.with(4, date)) })), null));
  }
});

describe('open now', () => {
  test('follows the number, and is null for an unknown one', () => {
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

describe('the words of a day', () => {
  const at = (hour: number, minute = 0) => hour * 60 + minute;
  for (const [words, from, to] of [
    ['9 AM–5:30 PM', at(9), at(17, 30)],
    ['9:00\u202fπ.μ.–11:30\u202fμ.μ.', at(9), at(23, 30)],
    ['09:00–00:00', at(9), at(0)],
    ['9.00–24.00', at(9), at(24)],
    ['09h00 à 12h15', at(9), at(12, 15)],
    ['9時00分～17時30分', at(9), at(17, 30)],
    ['٩:٠٠ ص–٥:٣٠ م', at(9), at(17, 30)],
    ['오전 9:00~오후 5:30', at(9), at(17, 30)],
    ['6 PM–2 AM', at(18), at(26)],
    ['Open 24 hours', at(0), at(0)],
    ['Rund um die Uhr geöffnet', at(0), at(0)],
    ['12:00–12:45 AM', at(12), at(24, 45)],
  ] as const) {
    test(`${words} can mean its hours`, () => assert.ok(canMean(words, [from, to])));
  }

  for (const [words, from, to] of [
    ['9 AM–5:30 PM', at(0, 9), at(17, 30)],
    ['9 AM–12 AM', at(0, 9), at(24)],
    ['09:00–17:30', at(9), at(0, 17)],
    ['10:00–18:00', at(0, 10), at(0, 18)],
    ['8 AM–5 PM', at(9), at(17)],
  ] as const) {
    test(`${words} cannot mean the hours that a moved list gives`, () =>
      assert.ok(!canMean(words, [from, to])));
  }

  test('can mean any hours if they are missing', () => assert.ok(canMean(null, [at(9), at(17)])));
});
