import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { hourMs, minuteMs } from '../../../lib/runtime/clock.js';
import { noOutcomes, type Outcome, type OutcomeCounts, outcomes } from './call-outcome.js';

const maxMinutes = 60;
export const maxHours = 48;

/** Answers whose fields were counted, and how many of them held each optional field, in the schema's order. */
export interface FieldCounts {
  readonly answers: number;
  readonly filled: readonly number[];
}

/** The calls of an endpoint in a minute. */
export interface MinuteCalls extends FieldCounts {
  /** Since 1970. */
  readonly minute: number;
  readonly counts: OutcomeCounts;
  /** Codes of the platform's failures. */
  readonly codes: Readonly<Partial<Record<ErrorCode, number>>>;
}

/** The answers of an endpoint in an hour. */
interface HourAnswers extends FieldCounts {
  /** Since 1970. */
  readonly hour: number;
}

/** Counts by time, oldest first. All are sums: those of several processes are added up. */
export interface RecentCalls {
  /** The minutes of the last hour. */
  readonly minutes: readonly MinuteCalls[];
  /** The last 48 in which there were answers. */
  readonly hours: readonly HourAnswers[];
}

/** The outcomes of real calls in the last hour. */
export interface LastHour {
  readonly counts: OutcomeCounts;
  /** Codes of the platform's failures, most frequent first. */
  readonly codes: readonly { readonly code: ErrorCode; readonly count: number }[];
}

type MinuteCounts = Pick<MinuteCalls, 'counts' | 'codes'>;

/** Adds up; versions before this one counted no fields by time. */
function addFields(one: Partial<FieldCounts>, other: Partial<FieldCounts>): FieldCounts {
  const [fewer, more] = [one.filled ?? [], other.filled ?? []].sort((a, b) => a.length - b.length);
  return {
    answers: (one.answers ?? 0) + (other.answers ?? 0),
    filled: (more ?? []).map((count, field) => count + (fewer?.[field] ?? 0)),
  };
}

function addCounts(one: MinuteCounts, other: MinuteCounts): MinuteCounts {
  const counts = noOutcomes();
  for (const outcome of outcomes) counts[outcome] = one.counts[outcome] + other.counts[outcome];
  const codes = { ...one.codes };
  for (const [code, count] of Object.entries(other.codes) as [ErrorCode, number][]) {
    codes[code] = (codes[code] ?? 0) + count;
  }
  return { counts, codes };
}

/** Both lists as one: what is of the same time is added up, and the oldest go. */
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

/** Merges the counts of two processes, or of one at two times. Versions before this one kept no hours. */
export function addCalls(one: Partial<RecentCalls>, other: Partial<RecentCalls>): RecentCalls {
  return {
    minutes: addByTime(
      [one.minutes ?? [], other.minutes ?? []],
      ({ minute }) => minute,
      (a, b) => ({ minute: a.minute, ...addCounts(a, b), ...addFields(a, b) }),
      maxMinutes,
    ),
    hours: addByTime(
      [one.hours ?? [], other.hours ?? []],
      ({ hour }) => hour,
      (a, b) => ({ hour: a.hour, ...addFields(a, b) }),
      maxHours,
    ),
  };
}

/** The counts up to a time. */
export function callsUntil(latest: number, { minutes = [], hours = [] }: Partial<RecentCalls>): RecentCalls {
  return {
    minutes: minutes.filter(({ minute }) => minute * minuteMs <= latest),
    hours: hours.filter(({ hour }) => hour * hourMs <= latest),
  };
}

export const noCalls: RecentCalls = { minutes: [], hours: [] };

/** A call as counts. `shares`: which part of its answer held each field; null where no fields were counted. */
export function countOf(
  now: number,
  outcome: Outcome,
  code: ErrorCode | null,
  shares: readonly number[] | null,
): RecentCalls {
  const fields: FieldCounts = shares === null ? { answers: 0, filled: [] } : { answers: 1, filled: shares };
  const counts = { ...noOutcomes(), [outcome]: 1 };
  const codes = code === null ? {} : { [code]: 1 };
  return {
    minutes: [{ minute: Math.floor(now / minuteMs), counts, codes, ...fields }],
    hours: shares === null ? [] : [{ hour: Math.floor(now / hourMs), ...fields }],
  };
}

/** The outcomes since a time, and in the last hour at most. */
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
