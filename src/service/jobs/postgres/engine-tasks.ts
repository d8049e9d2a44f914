import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import type { SliceTask, TaskHandler, Tasks } from '../runner/tasks.js';
import type { Engine } from './engine.js';
import { sliceQueues } from './engine-queues.js';

export interface EngineTasksOptions {
  readonly engine: Engine;
  readonly resend: () => Promise<unknown>;
  readonly clock: Clock;
  readonly onError: (job: string, cause: unknown) => void;
}

/** Concurrent slices of a queue on this node, and of one account, which leaves room for others. */
const slices = { concurrency: 3, perGroup: 2 };
/** Milliseconds between searches for slices that the engine lacks, and before a failed first search is retried. */
const [resendInterval, resendRetry] = [5 * 60_000, 2000];

/** A database's tasks, which the engine distributes to its nodes. */
export class EngineTasks implements Tasks {
  readonly #options: EngineTasksOptions;
  readonly #resends: PeriodicTask;

  constructor(options: EngineTasksOptions) {
    this.#options = options;
    this.#resends = new PeriodicTask(options.clock, resendInterval, () => this.#resend());
  }

  start(handle: TaskHandler): void {
    for (const queue of sliceQueues) {
      this.#options.engine.work(queue, slices, ({ data, signal }) => handle(data as SliceTask, signal));
    }
    void this.#resends.run();
  }

  wake(): void {
    for (const queue of sliceQueues) this.#options.engine.wake(queue);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#resends.stop(), this.#options.engine.stopWork()]);
  }

  async #resend(): Promise<number> {
    const { resend, onError } = this.#options;
    try {
      await resend();
      return resendInterval;
    } catch (cause) {
      if (!this.#resends.isStopped) onError('', cause);
      return resendRetry;
    }
  }
}
