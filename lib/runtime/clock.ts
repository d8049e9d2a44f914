import type { CallSignal } from './abort.js';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/**
 * Maximum difference between servers' clocks in milliseconds. A time further ahead was written before a clock was set
 * back.
 */
export const maxSkewMs = 60_000;

/** Time as a port: everything that waits or reads the time uses it, so that tests control it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Milliseconds since some fixed moment, unaffected by changes of the machine's date. Used to measure durations. A
   * clock without it, as in tests, never jumps.
   */
  elapsed?(): number;
  /** Resolves after `ms`; rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal?: CallSignal): Promise<void>;
  /**
   * Calls back after `ms`, unless the returned function is called first: a sleep that costs almost nothing. The process
   * stays alive for it, unless `holds` is false.
   */
  alarm(ms: number, onAlarm: () => void, holds?: boolean): () => void;
}

/** The longest wait of a timer, in milliseconds. Longer ones end immediately. */
const maxTimerMs = 2 ** 31 - 1;

const timer = (onEnd: () => void, ms: number) => setTimeout(onEnd, Math.min(ms, maxTimerMs));

/** The time of the JavaScript runtime. A wait ends after at most 24 days. */
export const plainClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => {
        clearTimeout(sleep);
        reject(signal?.reason);
      };
      const sleep = timer(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    });
  },
  alarm(ms, onAlarm, holds = true) {
    const alarm = timer(onAlarm, ms);
    if (!holds) alarm.unref();
    return () => clearTimeout(alarm);
  },
};

export const systemClock: Clock = /* @__PURE__ */ Object.assign({}, plainClock, {
  // `performance` would load a dozen Node.js modules: 2% of a demo call (2026-11).
  elapsed: () => Number(process.hrtime.bigint()) / 1e6,
});

/** Returns milliseconds for measuring durations. */
export function elapsed(clock: Pick<Clock, 'now' | 'elapsed'>): number {
  return clock.elapsed?.() ?? clock.now();
}
