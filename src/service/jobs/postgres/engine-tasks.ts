import type { Clock } from '../../../../lib/runtime/clock.js';
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
/** Milliseconds between searches for slices unknown to the engine, and between retries of a failed first one. */
const [resendInterval, resendRetry] = [5 * 60_000, 2000];

/** The tasks of a database, which the engine distributes to its nodes. */
export class EngineTasks implements Tasks {
  readonly #options: EngineTasksOptions;
  readonly #stopping = new AbortController();
  #resending: Promise<void> | undefined;

  constructor(options: EngineTasksOptions) {
    this.#options = options;
  }

  start(handle: TaskHandler): void {
    for (const queue of sliceQueues) {
      this.#options.engine.work(queue, slices, ({ data, signal }) => handle(data as SliceTask, signal));
    }
    this.#resending = this.#resend();
  }

  wake(): void {
    for (const queue of sliceQueues) this.#options.engine.wake(queue);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The node stops.', 'AbortError'));
    await Promise.all([this.#resending, this.#options.engine.stopWork()]);
  }

  async #resend(): Promise<void> {
    const { resend, clock, onError } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let pause = resendInterval;
      try {
        await resend();
      } catch (cause) {
        if (!signal.aborted) onError('', cause);
        pause = resendRetry;
      }
      await clock.sleep(pause, signal).catch(() => undefined);
    }
  }
}
