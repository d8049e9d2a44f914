import type { Clock } from '../../runtime/clock.js';
import { sqliteFault } from './sqlite-fault.js';

/** Milliseconds that SQLite itself waits for a lock, blocking the event loop. */
export const busyTimeout = 5;
const maxPause = 25;
const defaultTimeout = 5_000;

/**
 * Runs a transaction, retrying for about `ms` while another process holds the write lock. Sleeps between attempts, so
 * that a server keeps answering. Rejects with the error of the last attempt.
 */
export async function whenUnlocked<T>(
  clock: Clock,
  attempt: () => T | Promise<T>,
  timeoutMs: number = defaultTimeout,
): Promise<T> {
  let pause = 1;
  for (let waited = 0; ; waited += pause) {
    try {
      return await attempt();
    } catch (cause) {
      if (sqliteFault(cause) !== 'locked' || waited >= timeoutMs) throw cause;
    }
    await clock.sleep(pause);
    pause = Math.min(maxPause, pause * 1.5);
  }
}
