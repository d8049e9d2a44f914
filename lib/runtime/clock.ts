import type { CallSignal } from './abort.js';

/** Time, as a port: everything that waits or dates asks it, so that tests own the time. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: CallSignal): Promise<void>;
  /**
   * Calls back after `ms`, unless the function it returns is called first: a sleep that costs next to nothing. One in
   * the `background` does not keep the process from its end.
   */
  alarm(ms: number, onAlarm: () => void, kind?: 'background'): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
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
  alarm(ms, onAlarm, kind) {
    const timer = setTimeout(onAlarm, ms);
    if (kind === 'background') timer.unref();
    return () => clearTimeout(timer);
  },
};
