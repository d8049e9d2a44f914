import type { Measures } from '../../../../lib/ledger/usage-row.js';
import { type Clock, elapsed } from '../../../../lib/runtime/clock.js';

/** When an input's calls began, and how long the last one took. */
export interface CallTimes {
  /** Start of the first call, milliseconds since 1970. */
  at: number | undefined;
  measures: Partial<Measures>;
}

export function timedCall<Args extends readonly unknown[], Answer>(
  call: (...args: Args) => Promise<Answer>,
  clock: Pick<Clock, 'now' | 'elapsed'>,
  times: CallTimes,
): (...args: Args) => Promise<Answer> {
  return async (...args) => {
    times.at ??= clock.now();
    const began = elapsed(clock);
    try {
      return await call(...args);
    } finally {
      times.measures = { duration_ms: Math.max(0, Math.round(elapsed(clock) - began)) };
    }
  };
}
