import type { CallSignal } from './abort.js';

/** Milliseconds of a minute, an hour and a day. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

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

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    });
  },
  alarm(ms, onAlarm, holds = true) {
    const timer = setTimeout(onAlarm, ms);
    if (!holds) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Milliseconds for durations: those of the clock's `elapsed`. */
export function elapsed(clock: Pick<Clock, 'now' | 'elapsed'>): number {
  return clock.elapsed?.() ?? clock.now();
}
