import type { Database } from '../../../../lib/database/database.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { DateWatch } from '../../../../lib/runtime/date-watch.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import type { ResultsFiles } from './results-files.js';

const interval = 10 * 60_000;

export interface SweeperOptions {
  readonly database: Database;
  readonly files: ResultsFiles;
  readonly steps: readonly (() => Promise<unknown>)[];
  /** Deletes lines of jobs that no longer exist. Omit if they are deleted with their job. */
  readonly forgetLines?: () => Promise<void>;
  readonly clock: Clock;
  readonly onError: (job: string, cause: unknown) => void;
}

/** Deletes expired results, and what deleted jobs left behind. */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #date: DateWatch;
  readonly #sweeps: PeriodicTask;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#date = new DateWatch(options.clock);
    this.#sweeps = new PeriodicTask(options.clock, interval, () => this.#sweep(), false);
  }

  /** Sweeps now and at intervals. */
  start(): void {
    void this.#sweeps.run();
  }

  /** Deletes the files of jobs without results, and files created before a subject in them was forgotten. */
  async removeOrphans(): Promise<void> {
    const { database, files, forgetLines } = this.#options;
    await forgetLines?.();
    const ids = await files.ids();
    const rows = await database.read((queries) =>
      queries.rows<{ readonly id: string; readonly forgotten: number }>(
        `SELECT id, forgotten FROM jobs WHERE deleted = 0 AND id ${queries.dialect.anyOf('$1')}`,
        [ids],
      ),
    );
    const editions = new Map(rows.map(({ id, forgotten }) => [id, forgotten]));
    for (const id of ids) {
      const forgotten = editions.get(id);
      if (forgotten === undefined) await files.remove(id);
      else if (forgotten > 0) await files.removeDownloads(id, String(forgotten));
    }
  }

  stop(): Promise<void> {
    return this.#sweeps.stop();
  }

  /** A failed step, such as a file that cannot be removed, does not affect the rest. */
  async #sweep(): Promise<void> {
    const steps = this.#date.isSteady() ? this.#options.steps : [];
    for (const step of [...steps, () => this.removeOrphans()]) {
      await step().catch((cause: unknown) => this.#options.onError('', cause));
    }
  }
}
