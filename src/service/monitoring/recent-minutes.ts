import { type Clock, elapsed, minuteMs, systemClock } from '../../../lib/runtime/clock.js';

export const windowMinutes = 15;

/** Histogram bins per doubling: a percentile is accurate to a tenth. */
const binsPerDoubling = 8;
const bins = 20 * binsPerDoubling;

interface Minute {
  readonly number: number;
  answered: number;
  readonly codes: Map<string, number>;
  readonly durations: Uint32Array;
}

export interface RecentCallSums {
  readonly answered: number;
  readonly failed: number;
  /** Most frequent first. */
  readonly codes: readonly { readonly code: string; readonly count: number }[];
  /** Durations of uncached answers in milliseconds, accurate to a tenth; null for none. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number } | null;
}

const binOf = (ms: number) => Math.min(bins - 1, Math.floor(Math.log2(Math.max(1, ms)) * binsPerDoubling));

/** The calls of the last fifteen minutes, in memory. Minutes are counted separately, and the oldest is dropped. */
export class RecentMinutes {
  readonly #clock: Pick<Clock, 'now' | 'elapsed'>;
  #minutes: Minute[] = [];

  constructor(clock: Pick<Clock, 'now' | 'elapsed'> = systemClock) {
    this.#clock = clock;
  }

  /** Counts an answer with its duration in milliseconds; null for a cached one. */
  countAnswer(ms: number | null): void {
    const minute = this.#minute();
    minute.answered += 1;
    if (ms === null) return;
    const bin = binOf(ms);
    minute.durations[bin] = (minute.durations[bin] ?? 0) + 1;
  }

  countFailure(code: string): void {
    const { codes } = this.#minute();
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }

  sums(): RecentCallSums {
    this.#minute();
    const codes = new Map<string, number>();
    for (const minute of this.#minutes) {
      for (const [code, count] of minute.codes) codes.set(code, (codes.get(code) ?? 0) + count);
    }
    const sorted = [...codes].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count);
    return {
      answered: this.#minutes.reduce((sum, { answered }) => sum + answered, 0),
      failed: sorted.reduce((sum, { count }) => sum + count, 0),
      codes: sorted,
      latency: this.#latency(),
    };
  }

  #latency(): RecentCallSums['latency'] {
    const sums = Array.from({ length: bins }, (_, bin) =>
      this.#minutes.reduce((sum, { durations }) => sum + (durations[bin] ?? 0), 0),
    );
    const count = sums.reduce((sum, one) => sum + one, 0);
    if (count === 0) return null;
    const percentile = (share: number) => {
      let below = 0;
      const bin = sums.findIndex((one) => {
        below += one;
        return below >= share * count;
      });
      return Math.round(2 ** ((bin + 1) / binsPerDoubling));
    };
    return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
  }

  /** Returns the current minute, and drops minutes outside the window. */
  #minute(): Minute {
    const number = Math.floor(elapsed(this.#clock) / minuteMs);
    const last = this.#minutes.at(-1);
    if (last?.number === number) return last;
    const minute = { number, answered: 0, codes: new Map(), durations: new Uint32Array(bins) };
    // After a clock was set back, minutes from before are not recent.
    const recent = this.#minutes.filter((one) => one.number < number && number - one.number < windowMinutes);
    this.#minutes = [...recent, minute];
    return minute;
  }
}
