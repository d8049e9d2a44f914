import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../../lib/runtime/clock.js';
import { sqliteFault } from '../../../lib/sqlite/sqlite-fault.js';
import type { RunnerLock } from '../job-store.js';

/** Milliseconds between tries to get the lock. */
const retryMs = 1000;

/** The lock of an SQLite file in a folder: the system itself releases it when the process ends. */
export class FileRunnerLock implements RunnerLock {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async acquire(signal: AbortSignal): Promise<() => void> {
    const { default: Sqlite } = await import('better-sqlite3');
    const file = path.join(this.#folder, 'runner.lock');
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
      await this.#clock.sleep(retryMs, signal).catch(() => undefined);
    }
  }
}
