import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { hourMs, minuteMs } from '../../../lib/runtime/clock.js';
import { noOutcomes, type Outcome, type OutcomeCounts, sumBy } from './call-outcome.js';

const maxMinutes = 60;
export const maxHours = 48;

export interface MinuteCalls {
  /** Since 1970. */
  readonly minute: number;
  readonly counts: OutcomeCounts;
  readonly codes: Readonly<Partial<Record<ErrorCode, number>>>;
}

/** The answers of one hour, and how many had each field, in the schema's order. */
interface HourAnswers {
  /** Since 1970. */
  readonly hour: number;
  readonly answers: number;
  readonly filled: readonly number[];
}

/** Counts by time, oldest first. Counts of several processes can be added. */
export interface RecentCalls {
  /** The minutes of the last hour. */
  readonly minutes: readonly MinuteCalls[];
  /** The last 48 hours with answers. */
  readonly hours: readonly HourAnswers[];
}

export interface LastHour {
  readonly counts: OutcomeCounts;
  /** Most frequent first. */
  readonly codes: readonly { readonly code: ErrorCode; readonly count: number }[];
}

type MinuteCounts = Pick<MinuteCalls, 'counts' | 'codes'>;

function addAnswers(one: HourAnswers, other: HourAnswers): HourAnswers {
  const filled = one.filled.map((count, field) => count + (other.filled[field] ?? 0));
  return { hour: one.hour, answers: one.answers + other.answers, filled };
}

function addCounts(one: MinuteCounts, other: MinuteCounts): MinuteCounts {
  return { counts: sumBy(one.counts, other.counts), codes: sumBy(one.codes, other.codes) };
}

/** Merges both lists: adds entries of the same time, and drops the oldest. */
function addByTime<Counted>(
  lists: readonly (readonly Counted[])[],
  timeOf: (one: Counted) => number,
  add: (one: Counted, other: Counted) => Counted,
  max: number,
): readonly Counted[] {
  const sums = new Map<number, Counted>();
  for (const one of lists.flat()) {
    const sum = sums.get(timeOf(one));
    sums.set(timeOf(one), sum === undefined ? one : add(sum, one));
  }
  return [...sums.values()].sort((a, b) => timeOf(a) - timeOf(b)).slice(-max);
}

/** Adds the counts of two processes, or of one process at two times. */
export function addCalls(one: RecentCalls, other: RecentCalls): RecentCalls {
  return {
    minutes: addByTime(
      [one.minutes, other.minutes],
      ({ minute }) => minute,
      (a, b) => ({ minute: a.minute, ...addCounts(a, b) }),
      maxMinutes,
    ),
    hours: addByTime([one.hours, other.hours], ({ hour }) => hour, addAnswers, maxHours),
  };
}

export function callsUntil(latest: number, { minutes, hours }: RecentCalls): RecentCalls {
  return {
    minutes: minutes.filter(({ minute }) => minute * minuteMs <= latest),
    hours: hours.filter(({ hour }) => hour * hourMs <= latest),
  };
}

export const noCalls: RecentCalls = { minutes: [], hours: [] };

/** Returns the counts of one call. `shares`: the part of its answer with each field; null if not counted. */
export function countOf(
  now: number,
  outcome: Outcome,
  code: ErrorCode | null,
  shares: readonly number[] | null,
): RecentCalls {
  const counts = { ...noOutcomes(), [outcome]: 1 };
  const codes = code === null ? {} : { [code]: 1 };
  return {
    minutes: [{ minute: Math.floor(now / minuteMs), counts, codes }],
    hours: shares === null ? [] : [{ hour: Math.floor(now / hourMs), answers: 1, filled: shares }],
  };
}

/** Returns the outcomes since a time within the last hour. */
export function lastHour(
  minutes: readonly MinuteCalls[],
  now: number,
  from = Number.NEGATIVE_INFINITY,
): LastHour {
  const first = Math.max(Math.floor(now / minuteMs) - maxMinutes + 1, Math.floor(from / minuteMs) + 1);
  const { counts, codes } = minutes
    .filter(({ minute }) => minute >= first)
    .reduce<MinuteCounts>(addCounts, { counts: noOutcomes(), codes: {} });
  const sorted = (Object.entries(codes) as [ErrorCode, number][]).map(([code, count]) => ({ code, count }));
  return { counts, codes: sorted.sort((a, b) => b.count - a.count) };
}
