import type { Clock } from '../../runtime/clock.js';
import { sqliteFault } from './sqlite-fault.js';

/** Milliseconds SQLite itself waits for a lock, with the event loop standing still. */
export const busyTimeout = 5;
const maxPause = 25;
const defaultTimeout = 5_000;

/**
 * Runs a transaction, again and again while another process holds the write lock, for about so many milliseconds.
 * The pauses are between tries so that a server goes on answering meanwhile. Rejects with what the last try threw.
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
