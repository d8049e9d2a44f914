import path from 'node:path';
import type { Clock } from '../../../lib/runtime/clock.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
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
    const file = path.join(this.#folder, 'runner.lock');
    for (;;) {
      signal.throwIfAborted();
      const held = await lockFile(file);
      if (held !== null) return () => held.release();
      await this.#clock.sleep(retryMs, signal).catch(() => undefined);
    }
  }
}
