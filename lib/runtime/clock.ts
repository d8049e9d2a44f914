import type { CallSignal } from './abort.js';

/** Milliseconds of a minute, an hour and a day. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** Milliseconds by which clocks of servers may differ: a time further ahead is of a clock that was set back since. */
export const maxSkewMs = 60_000;

/** Time, as a port: everything that waits or dates asks it, so that tests own the time. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Milliseconds that passed since some moment, whatever becomes of the machine's date: what durations are measured by. A
   * clock without it, as a test has, never jumps.
   */
  elapsed?(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: CallSignal): Promise<void>;
  /**
   * Calls back after `ms`, unless the function it returns is called first: a sleep that costs next to nothing. A program
   * that has nothing else to do waits for it, unless `holds` is false.
   */
  alarm(ms: number, onAlarm: () => void, holds?: boolean): () => void;
}

/** The longest wait of a timer, in milliseconds: one that is asked for more ends at once. */
const maxTimerMs = 2 ** 31 - 1;

const timer = (onEnd: () => void, ms: number) => setTimeout(onEnd, Math.min(ms, maxTimerMs));

/** The time of whatever runs JavaScript. A wait ends after 24 days at the latest. */
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

/** The machine's own time. */
export const systemClock: Clock = /* @__PURE__ */ Object.assign({}, plainClock, {
  // `performance` would load a dozen modules of Node.js: 2% of a demo call (2026-11).
  elapsed: () => Number(process.hrtime.bigint()) / 1e6,
});

/** Milliseconds for durations: those of the clock's `elapsed`. */
export function elapsed(clock: Pick<Clock, 'now' | 'elapsed'>): number {
  return clock.elapsed?.() ?? clock.now();
}
