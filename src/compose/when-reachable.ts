import { StorageError } from '../../lib/errors/storage-error.js';
import type { CallSignal } from '../../lib/runtime/abort.js';
import { type Clock, elapsed } from '../../lib/runtime/clock.js';

const [againMs, wordMs] = [1_000, 60_000];

const isTransient = (fault: unknown): fault is StorageError =>
  fault instanceof StorageError &&
  (fault.fault === 'unreachable' || fault.fault === 'exhausted') &&
  fault.retryAfter !== undefined;

/**
 * Opens something as soon as its database is reachable, because after a power cut all machines start at the same time.
 * Rejects with other errors, and with the signal's reason.
 */
export async function whenReachable<T>(
  open: () => Promise<T>,
  {
    clock,
    signal,
    onWait,
  }: {
    readonly clock: Clock;
    readonly signal: CallSignal | undefined;
    /** Called with the error, at first and then every minute. */
    readonly onWait: (fault: StorageError) => void;
  },
): Promise<T> {
  for (let reportedAt = Number.NEGATIVE_INFINITY; ; ) {
    try {
      return await open();
    } catch (fault) {
      if (!isTransient(fault)) throw fault;
      if (elapsed(clock) - reportedAt >= wordMs) {
        onWait(fault);
        reportedAt = elapsed(clock);
      }
    }
    await clock.sleep(againMs, signal);
  }
}
