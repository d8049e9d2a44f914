import { fileFault, StorageError } from '../../../lib/errors/storage-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';

const pauseMs = 100;
const attempts = 40;

const isShortage = (cause: unknown) =>
  (cause instanceof StorageError ? cause.fault : fileFault(cause)) === 'exhausted';

/** Opens something, again for four seconds where descriptors are short: those of other downloads come free. */
export async function waitForDescriptors<T>(open: () => Promise<T>, clock: Pick<Clock, 'sleep'>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (cause) {
      if (attempt === attempts || !isShortage(cause)) throw cause;
    }
    await clock.sleep(pauseMs);
  }
}
