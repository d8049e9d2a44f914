import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  countRuns,
  nextRun,
  parseTimetable,
  runsByClock,
  type Timetable,
} from '../../../src/service/schedule/timetable.js';
import { refusal } from '../../ledger/ledger-port.js';

const at = (text: string) => Date.parse(text);
const hour = 3_600_000;
const start = at('2026-03-01T09:30:00Z');

describe('a timetable', () => {
  test('is an interval that counts from the first run', () => {
    const { next, text } = parseTimetable(' 6h ');
    assert.equal(text, '6h');
    assert.equal(next(start, start), start + 6 * hour);
    // Late by an hour: only this run moves.
    assert.equal(next(start + 7 * hour, start), start + 12 * hour);
    for (const [one, ms] of Object.entries({
      '1m': hour / 60,
      '90m': 1.5 * hour,
      '1d': 24 * hour,
      '2w': 336 * hour,
    }))
      assert.equal(parseTimetable(one).next(start, start) - start, ms);
  });

  test('is five fields of cron, in a time zone with its summer time', () => {
    const daily = parseTimetable('0 6 * * *', 'UTC');
    assert.equal(daily.next(start, start), at('2026-03-02T06:00:00Z'));
    assert.equal(daily.next(at('2026-03-02T06:00:00Z'), start), at('2026-03-03T06:00:00Z'));
    const athens = parseTimetable('30 6 * * 1-5', 'Europe/Athens');
    assert.equal(athens.next(at('2026-03-27T12:00:00Z'), start), at('2026-03-30T03:30:00Z'));
  });

  test('is days with a time, as people name them', () => {
    for (const [text, first, second] of [
      ['monday 08:00', '2026-03-02T08:00:00Z', '2026-03-09T08:00:00Z'],
      ['Mondays at 8:00', '2026-03-02T08:00:00Z', '2026-03-09T08:00:00Z'],
      ['mon, thu  08:15', '2026-03-02T08:15:00Z', '2026-03-05T08:15:00Z'],
      ['monday and thursday 08:15', '2026-03-02T08:15:00Z', '2026-03-05T08:15:00Z'],
      ['daily 07:05', '2026-03-02T07:05:00Z', '2026-03-03T07:05:00Z'],
      ['every day 23:59', '2026-03-01T23:59:00Z', '2026-03-02T23:59:00Z'],
      ['weekdays 00:00', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'],
      ['weekend 10:00', '2026-03-01T10:00:00Z', '2026-03-07T10:00:00Z'],
    ] as const) {
      const timetable = parseTimetable(text, 'UTC');
      assert.equal(timetable.text, text.replaceAll(/\s+/g, ' '));
      assert.equal(timetable.next(start, start), at(first), text);
      assert.equal(timetable.next(at(first), start), at(second), text);
    }
  });

  test('rejects anything else, and explains the format', () => {
    const refused = (text: string, message: RegExp) =>
      assert.throws(() => parseTimetable(text), refusal('invalid_parameter', message), text);
    for (const text of [
      ...['', '6', '0h', '400d', '6 hours', '1s', '* * * *', '0 0 31 2 *', '0 * * * * *', '61 * * * *'],
      ...['monday', 'monday 24:00', 'monday 08:60', 'moonday 08:00', '08:00', 'and 08:00'],
      // One moment, which never comes again.
      '2030-01-01T08:00',
    ]) {
      refused(text, /is not a schedule.*6h.*cron/);
    }
    refused('monday and friday', /it lacks a time of day, as "monday and friday 08:00" has/);
  });

  test('counts future runs', () => {
    const month = start + 30 * 24 * hour;
    assert.equal(countRuns(parseTimetable('6h'), start, start, month), 120);
    assert.equal(countRuns(parseTimetable('0 6 * * 1', 'UTC'), start, start, month), 5);
    assert.equal(countRuns(parseTimetable('1m'), start, start, start + 365 * 24 * hour), 100_000);
    assert.equal(countRuns(parseTimetable('6h'), start, month, start), 0);
  });

  const zones = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', undefined];
  for (const zone of zones)
    test(`counts what it would run one by one, in ${zone ?? 'the zone of the machine'}`, () => {
      for (const text of [
        ...['* * * * *', '*/7 9-17 * * 1-5', '0,30 * * * *', '15 3 1 * *', '5,50 23,0 * * *', 'monday 08:00'],
        ...['@hourly', '90m', '59 * 28-31 * *', '0,10,30 * * * *', '0-35/5 * * * *'],
      ]) {
        const timetable = parseTimetable(text, zone);
        // Over a change of summer time.
        for (const [from, hours] of [
          [start, 12],
          [at('2026-03-28T22:17:00Z'), 8],
          [at('2026-10-24T22:43:00Z'), 8],
          // On Lord Howe Island, by half an hour.
          [at('2026-04-04T11:50:00Z'), 12],
          [at('2026-10-03T11:50:00Z'), 12],
        ] as const) {
          let count = 0;
          const to = from + hours * hour;
          for (let run = timetable.next(from, start); run <= to; run = timetable.next(run, start)) count += 1;
          assert.equal(countRuns(timetable, start, from, to), count, `${text} from ${from}`);
        }
      }
    });
});

const timetables = fc
  .constantFrom('7m', '6h', '1d', '0 6 * * *', '*/10 * * * *', '15 3 1 * *')
  .map((text) => parseTimetable(text, 'UTC'));

function nextBy(timetable: Timetable, last: number, now: number): number {
  return nextRun(timetable, runsByClock(timetable, { anchor: start, last }, now));
}

describe('the next run', () => {
  test('is never more than two periods away, and never at or before the last but for a clock that stepped far back', () => {
    fc.assert(
      fc.property(
        timetables,
        fc.integer({ min: 0, max: 400 * 24 * 60 }),
        fc.integer({ min: -500 * 24 * 60, max: 500 * 24 * 60 }),
        (timetable, ranAfter, shift) => {
          const last = start + ranAfter * 60_000;
          const now = last + shift * 60_000;
          const next = nextBy(timetable, last, now);
          const period = timetable.next(last, start) - last;
          const from = now >= last || last - now <= period ? last : now;
          assert.equal(next, timetable.next(from, start));
          assert.ok(next > from);
        },
      ),
    );
  });

  test('runs each time of the timetable at most once', () => {
    fc.assert(
      fc.property(
        timetables,
        fc.array(fc.integer({ min: 1, max: 3 * 24 * 60 }), { maxLength: 60 }),
        (timetable, pauses) => {
          let last = start;
          let now = start;
          const runs: number[] = [];
          for (const pause of pauses) {
            now += pause * 60_000;
            const next = nextBy(timetable, last, now);
            if (next > now) continue;
            // Between the last run and this one a time of the timetable lies.
            assert.ok(next > last && next <= now);
            runs.push(now);
            last = now;
          }
          assert.ok(runs.length <= countRuns(timetable, start, start, now));
        },
      ),
    );
  });
});

describe('summer time', () => {
  const times = (text: string, from: string, count: number) => {
    const timetable = parseTimetable(text, 'Europe/Berlin');
    const times: string[] = [];
    for (let at = Date.parse(from); times.length < count; ) {
      at = timetable.next(at, 0);
      times.push(new Date(at).toISOString().slice(0, 16));
    }
    return times;
  };

  test('moves a time of the wall by an hour, and doubles and drops no day', () => {
    // In Berlin, clocks go forward an hour on 29 March 2026, and back on 25 October, at 01:00 UTC.
    const spring = times('daily 08:00', '2026-03-27T12:00Z', 3);
    assert.deepEqual(spring, ['2026-03-28T07:00', '2026-03-29T06:00', '2026-03-30T06:00']);
    const autumn = times('daily 08:00', '2026-10-23T12:00Z', 3);
    assert.deepEqual(autumn, ['2026-10-24T06:00', '2026-10-25T07:00', '2026-10-26T07:00']);
  });

  test('makes a time that a day does not have one run, and a time that it has twice one run', () => {
    const days = (from: string) => times('30 2 * * *', from, 4).map((at) => at.slice(0, 10));
    assert.deepEqual(days('2026-03-27T12:00Z'), ['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']);
    assert.deepEqual(days('2026-10-23T12:00Z'), ['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27']);
  });
});
