import type { Clock } from '../../../../lib/runtime/clock.js';
import { DateWatch } from '../../../../lib/runtime/date-watch.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import type { RunnerStore } from '../job-store.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { ResultsFiles } from './results-files.js';

/** Milliseconds between sweeps. */
const interval = 10 * 60_000;

export interface SweeperOptions {
  readonly store: RunnerStore;
  readonly webhooks: Pick<Webhooks, 'forget'>;
  readonly files: ResultsFiles;
  readonly clock: Clock;
  readonly onError: (job: string, cause: unknown) => void;
}

/**
 * Deletes the results of jobs that were kept long enough, with the attempts of their webhooks. Deletes what is left of
 * deleted jobs.
 */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #date: DateWatch;
  readonly #sweeps: PeriodicTask;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#date = new DateWatch(options.clock);
    this.#sweeps = new PeriodicTask(options.clock, interval, () => this.#sweep());
  }

  /** Sweeps now, and from then on now and again. */
  start(): void {
    void this.#sweeps.run();
  }

  /** Deletes the files of jobs that are no more: those of a deleted account. */
  async removeOrphans(): Promise<void> {
    const { store, files } = this.#options;
    await store.forgetLines();
    for (const id of await store.listMissing(await files.ids())) await files.remove(id);
  }

  stop(): Promise<void> {
    return this.#sweeps.stop();
  }

  async #sweep(): Promise<void> {
    const { store } = this.#options;
    if (this.#date.isSteady()) {
      await this.#attempt('', async () => {
        for (const id of await store.listExpired()) await this.#attempt(id, () => this.#forget(id));
      });
      await this.#attempt('', () => store.forgetAnswers());
      await this.#attempt('', () => store.forgetStagedInputs());
    }
    // Removes the files that a killed process left behind.
    await this.#attempt('', () => this.removeOrphans());
  }

  async #forget(id: string): Promise<void> {
    const { store, webhooks, files } = this.#options;
    // The files go first: a job whose row says so has none left.
    await files.remove(id);
    await webhooks.forget(id);
    await store.forget(id);
  }

  /** What fails, such as a file that cannot be removed, holds up nothing else. */
  async #attempt(job: string, work: () => Promise<unknown>): Promise<void> {
    await work().catch((cause: unknown) => this.#options.onError(job, cause));
  }
}
