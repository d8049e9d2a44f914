import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../../lib/runtime/clock.js';
import { sqliteFault } from '../../../lib/sqlite/sqlite-fault.js';

/** Milliseconds between tries to become the one. */
const patience = 1000;

/**
 * Waits until no other process works on the jobs of the folder, and keeps others from it. The system itself takes the
 * lock back when the process ends, however it ends. Returns what lets go of it; rejects with the signal's reason.
 */
export async function becomeOnlyRunner(
  folder: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<() => void> {
  const { default: Sqlite } = await import('better-sqlite3');
  const file = path.join(folder, 'runner.lock');
  closeSync(openSync(file, 'a', 0o600));
  const db = new Sqlite(file, { timeout: 0 });
  for (;;) {
    try {
      signal.throwIfAborted();
      db.exec('BEGIN EXCLUSIVE');
      return () => db.close();
    } catch (cause) {
      if (signal.aborted || sqliteFault(cause) !== 'locked') {
        db.close();
        throw cause;
      }
    }
    await clock.sleep(patience, signal).catch(() => undefined);
  }
}
