import type { ErrorCode } from '../../lib/errors/extract-error.js';
import { minuteMs } from '../../lib/runtime/clock.js';
import { noOutcomes, type Outcome, type OutcomeCounts, outcomes } from './call-outcome.js';

const minutes = 60;

/** The calls of an endpoint in a minute. */
export interface MinuteCalls {
  /** Since 1970. */
  readonly minute: number;
  readonly counts: OutcomeCounts;
  /** Codes of the platform's failures. */
  readonly codes: Readonly<Partial<Record<ErrorCode, number>>>;
}

/** What real calls met in the last hour. */
export interface LastHour {
  readonly counts: OutcomeCounts;
  /** Codes of the platform's failures, most frequent first. */
  readonly codes: readonly { readonly code: ErrorCode; readonly count: number }[];
}

type Codes = Partial<Record<ErrorCode, number>>;

function addCalls(
  to: { readonly counts: Record<Outcome, number>; readonly codes: Codes },
  { counts, codes }: Pick<MinuteCalls, 'counts' | 'codes'>,
): void {
  for (const outcome of outcomes) to.counts[outcome] += counts[outcome];
  for (const [code, count] of Object.entries(codes) as [ErrorCode, number][]) {
    to.codes[code] = (to.codes[code] ?? 0) + count;
  }
}

const noCalls = () => ({ counts: noOutcomes(), codes: {} as Codes });

/** Minutes that were counted apart, as one list of an hour at most, oldest first. */
export function sumMinutes(lists: readonly (readonly MinuteCalls[])[]): readonly MinuteCalls[] {
  const sums = new Map<number, MinuteCalls & ReturnType<typeof noCalls>>();
  for (const one of lists.flat()) {
    const sum = sums.get(one.minute) ?? { minute: one.minute, ...noCalls() };
    addCalls(sum, one);
    sums.set(one.minute, sum);
  }
  return [...sums.values()].sort((a, b) => a.minute - b.minute).slice(-minutes);
}

/** What was met since a time, and in the last hour at most. */
export function lastHour(
  counted: readonly MinuteCalls[],
  now: number,
  from = Number.NEGATIVE_INFINITY,
): LastHour {
  const first = Math.max(Math.floor(now / minuteMs) - minutes + 1, Math.floor(from / minuteMs) + 1);
  const sum = noCalls();
  for (const one of counted) if (one.minute >= first) addCalls(sum, one);
  const codes = Object.entries(sum.codes) as [ErrorCode, number][];
  const sorted = codes.map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count);
  return { counts: sum.counts, codes: sorted };
}

/** The calls of an endpoint that this process has counted and not told yet, by the minute. */
export class RecentCalls {
  #minutes: (MinuteCalls & ReturnType<typeof noCalls>)[] = [];

  get minutes(): readonly MinuteCalls[] {
    return this.#minutes;
  }

  add(now: number, outcome: Outcome, code: ErrorCode | null = null): void {
    const minute = Math.floor(now / minuteMs);
    let last = this.#minutes.at(-1);
    if (last?.minute !== minute) {
      last = { minute, ...noCalls() };
      this.#minutes.push(last);
      if (this.#minutes.length > minutes) this.#minutes.shift();
    }
    last.counts[outcome] += 1;
    if (code !== null) last.codes[code] = (last.codes[code] ?? 0) + 1;
  }

  /** Hands them over, and begins anew. */
  take(): readonly MinuteCalls[] {
    const taken = this.#minutes;
    this.#minutes = [];
    return taken;
  }

  /** Takes back what could not be told. */
  untake(taken: readonly MinuteCalls[]): void {
    const all = sumMinutes([taken, this.#minutes]);
    this.#minutes = all.map(({ minute, counts, codes }) => ({
      minute,
      counts: { ...counts },
      codes: { ...codes },
    }));
  }
}
