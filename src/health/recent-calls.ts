import type { ErrorCode } from '../../lib/errors/extract-error.js';
import { minuteMs } from '../../lib/runtime/clock.js';
import { noOutcomes, type Outcome, type OutcomeCounts, outcomes } from './call-outcome.js';

const minutes = 60;

interface Minute {
  readonly minute: number;
  readonly counts: Record<Outcome, number>;
  readonly codes: Map<ErrorCode, number>;
}

/** What real calls met in the last hour. */
export interface LastHour {
  readonly counts: OutcomeCounts;
  /** Codes of the platform's failures, most frequent first. */
  readonly codes: readonly { readonly code: ErrorCode; readonly count: number }[];
}

/** The calls of an endpoint in the last hour, by the minute. */
export class RecentCalls {
  #minutes: Minute[] = [];

  add(now: number, outcome: Outcome, code: ErrorCode | null = null): void {
    const minute = Math.floor(now / minuteMs);
    let last = this.#minutes.at(-1);
    if (last?.minute !== minute) {
      last = { minute, counts: noOutcomes(), codes: new Map() };
      this.#minutes.push(last);
      if (this.#minutes.length > minutes) this.#minutes.shift();
    }
    last.counts[outcome] += 1;
    if (code !== null) last.codes.set(code, (last.codes.get(code) ?? 0) + 1);
  }

  /** What was met since a time, and in the last hour at most. */
  since(now: number, from = Number.NEGATIVE_INFINITY): LastHour {
    const first = Math.max(Math.floor(now / minuteMs) - minutes + 1, Math.floor(from / minuteMs) + 1);
    const counts = noOutcomes();
    const codes = new Map<ErrorCode, number>();
    for (const one of this.#minutes) {
      if (one.minute < first) continue;
      for (const outcome of outcomes) counts[outcome] += one.counts[outcome];
      for (const [code, count] of one.codes) codes.set(code, (codes.get(code) ?? 0) + count);
    }
    const sorted = [...codes].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count);
    return { counts, codes: sorted };
  }
}
