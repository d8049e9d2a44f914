import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import type { JobAtWork } from '../job.js';
import type { SliceTask, TaskHandler, Tasks } from './tasks.js';

export interface LocalJobTasksOptions {
  readonly store: { listUnfinished(): Promise<readonly JobAtWork[]> };
  readonly clock: Clock;
  readonly onError: (job: string, cause: unknown) => void;
}

/** Milliseconds between searches for jobs created or cancelled by another process. */
const pollInterval = 2000;
/** Milliseconds until a rejected task is assigned again. */
const retryMs = 2000;

/** The jobs of a data directory, one task each: a single process works on all of them. */
export class LocalJobTasks implements Tasks {
  readonly #options: LocalJobTasksOptions;
  readonly #stopping = new AbortController();
  readonly #atWork = new Map<string, Promise<void>>();
  readonly #searches: PeriodicTask;
  #handle: TaskHandler | undefined;

  constructor(options: LocalJobTasksOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stopping.signal);
    const search = () => this.#handOut().catch((cause: unknown) => options.onError('', cause));
    this.#searches = new PeriodicTask(options.clock, pollInterval, search);
  }

  start(handle: TaskHandler): void {
    this.#handle = handle;
    this.wake();
  }

  wake(): void {
    void this.#searches.run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The runner stops.', 'AbortError'));
    await this.#searches.stop();
    await Promise.all(this.#atWork.values());
  }

  async #handOut(): Promise<void> {
    const { signal } = this.#stopping;
    const jobs = await this.#options.store.listUnfinished();
    for (const { id, status } of jobs) {
      const task = { job: id, first: status === 'cancelled' ? null : 0 };
      const name = `${id}:${task.first}`;
      if (signal.aborted || this.#atWork.has(name)) continue;
      this.#atWork.set(name, this.#run(name, task));
    }
  }

  async #run(name: string, task: SliceTask): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await this.#handle?.(task, signal);
    } catch {
      await this.#options.clock.sleep(retryMs, signal).catch(() => undefined);
    } finally {
      this.#atWork.delete(name);
    }
  }
}
