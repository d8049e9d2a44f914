import path from 'node:path';
import { sqliteFault } from '../../../../lib/database/sqlite/sqlite-fault.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { lockFile } from '../../../../lib/runtime/file-lock.js';

const retryMs = 1000;

/** Names the file and the remedy, because without the lock no job runs. */
function lockFault(file: string, cause: unknown): StorageError {
  const { code = 'failed' } = cause as NodeJS.ErrnoException;
  const message = `The lock file of the jobs, ${file}, cannot be locked (${code}). Correct its permissions, or delete it and ${path.basename(file)}-journal: new ones are created.`;
  return new StorageError(sqliteFault(cause), message, { cause });
}

/**
 * Waits until no other process works on the jobs of a folder. Resolves with a function that releases the lock; the
 * system releases it when the process ends, even if killed. Rejects with the signal's reason.
 */
export async function lockRunner(folder: string, clock: Clock, signal: AbortSignal): Promise<() => void> {
  const file = path.join(folder, 'runner.lock');
  const pause = async () => {
    await clock.sleep(retryMs, signal).catch(() => undefined);
    return !signal.aborted;
  };
  signal.throwIfAborted();
  const lock = await lockFile(file, { pause }).catch((cause: unknown) => {
    throw lockFault(file, cause);
  });
  if (lock === null) throw signal.reason;
  return () => lock.release();
}
