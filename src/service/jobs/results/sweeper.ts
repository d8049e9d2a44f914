import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import type { RunnerStore } from '../job-store.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { ResultsFiles } from './results-files.js';

/** Milliseconds between sweeps. */
const interval = 10 * 60_000;

/**
 * Deletes the results of jobs seven days after they finished, with the attempts of their webhooks. Deletes what is left
 * of deleted jobs.
 */
export class Sweeper {
  readonly #store: RunnerStore;
  readonly #webhooks: Pick<Webhooks, 'forget'>;
  readonly #files: ResultsFiles;
  readonly #onError: (job: string, cause: unknown) => void;
  readonly #sweeps: PeriodicTask;

  constructor(
    store: RunnerStore,
    webhooks: Pick<Webhooks, 'forget'>,
    files: ResultsFiles,
    clock: Clock,
    onError: (job: string, cause: unknown) => void,
  ) {
    this.#store = store;
    this.#webhooks = webhooks;
    this.#files = files;
    this.#sweeps = new PeriodicTask(clock, interval, () => this.#sweep());
    this.#onError = onError;
  }

  /** Sweeps now, and from then on now and again. */
  start(): void {
    void this.#sweeps.run();
  }

  /** Deletes the files of jobs that are no more: those of a deleted account. */
  async removeOrphans(): Promise<void> {
    for (const id of await this.#store.listMissing(await this.#files.ids())) await this.#files.remove(id);
  }

  stop(): Promise<void> {
    return this.#sweeps.stop();
  }

  async #sweep(): Promise<void> {
    try {
      for (const id of await this.#store.listExpired()) {
        // The files go first: a job whose row says so has none left.
        await this.#files.remove(id);
        await this.#webhooks.forget(id);
        await this.#store.forget(id);
      }
      await this.#store.forgetAnswers();
      // Removes the files that a killed process left behind.
      await this.removeOrphans();
    } catch (cause) {
      this.#onError('', cause);
    }
  }
}
