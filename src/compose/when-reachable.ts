import { StorageError } from '../../lib/errors/storage-error.js';
import type { CallSignal } from '../../lib/runtime/abort.js';
import { type Clock, elapsed } from '../../lib/runtime/clock.js';

/** Milliseconds between two tries, and between two words about them. */
const [againMs, wordMs] = [1_000, 60_000];

/** True for a fault that passes by itself: the database is not there yet, or takes nobody in. */
const passes = (fault: unknown): fault is StorageError =>
  fault instanceof StorageError &&
  (fault.fault === 'unreachable' || fault.fault === 'exhausted') &&
  fault.retryAfter !== undefined;

/**
 * Opens what stands on a database, as soon as that can be reached: after a power cut all machines start at once. Rejects
 * with other faults, and with the reason of the signal.
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
    /** Told what is waited for, at first and each minute. */
    readonly onWait: (fault: StorageError) => void;
  },
): Promise<T> {
  for (let toldAt = Number.NEGATIVE_INFINITY; ; ) {
    try {
      return await open();
    } catch (fault) {
      if (!passes(fault)) throw fault;
      if (elapsed(clock) - toldAt >= wordMs) {
        onWait(fault);
        toldAt = elapsed(clock);
      }
    }
    await clock.sleep(againMs, signal);
  }
}
