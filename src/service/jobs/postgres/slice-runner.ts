import { Notifier } from '../../../../lib/batch/notifier.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { Lanes, type LanesOptions } from '../runner/lanes.js';
import type { Engine, Task } from './engine.js';
import { sliceQueues } from './engine-queues.js';
import { SliceRun, type SliceRunContext } from './slice-run.js';
import type { SliceStore } from './slice-store.js';
import type { SliceTask } from './slices.js';

export interface SliceRunnerOptions extends Omit<LanesOptions, 'stopping'> {
  readonly engine: Engine;
  readonly store: SliceStore;
  readonly clock: Clock;
  /** Runs when the last line of a job was written here. */
  readonly onFinished: (job: string) => void;
  /** Runs when a job ended whose last line was written elsewhere, or that was deleted. */
  readonly onLeft: (job: string) => void;
}

/** Slices of a queue at once on this node, and those of one account: others find room. */
const slices = { concurrency: 3, perGroup: 2 };
/** Milliseconds between looks at the jobs at work: others cancel and delete them. */
const pollInterval = 2000;
/** Milliseconds between looks for slices that the engine does not know. */
const resendInterval = 5 * 60_000;

/** Works on the slices that the engine hands to this node. */
export class SliceRunner {
  readonly #options: SliceRunnerOptions;
  readonly #stopping = new AbortController();
  readonly #lanes: Lanes<SliceRun>;
  readonly #runs = new Set<SliceRun>();
  /** Jobs that this node has worked on and that had not ended when it looked last. */
  readonly #open = new Set<string>();
  readonly #notifiers = new Map<string, Notifier>();
  readonly #watching: Promise<void>[] = [];

  constructor(options: SliceRunnerOptions) {
    this.#options = options;
    this.#lanes = new Lanes({ ...options, stopping: this.#stopping.signal });
  }

  /** Begins to work, as soon as the database can be reached. */
  start(): void {
    const { engine } = this.#options;
    for (const queue of sliceQueues) engine.work(queue, slices, (task) => this.#work(task));
    this.#watching.push(this.#repeat(pollInterval, () => this.#look()));
    this.#watching.push(this.#repeat(resendInterval, () => this.#resend(), true));
  }

  /** A job was made or cancelled on this node. */
  wake(): void {
    for (const queue of sliceQueues) this.#options.engine.wake(queue);
    void this.#look().catch(() => undefined);
  }

  /** Resolves when lines of the job were added here, or it was finished. */
  nextProgress(id: string): Promise<void> {
    if (!this.#open.has(id)) return new Promise(() => undefined);
    const notifier = this.#notifiers.get(id) ?? new Notifier();
    this.#notifiers.set(id, notifier);
    return notifier.next();
  }

  /** Resolves when nothing runs any more, after the engine was stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The runner stops.', 'AbortError'));
    await Promise.all(this.#watching);
    await this.#lanes.quiet();
    for (const id of this.#notifiers.keys()) this.#notify(id);
  }

  async #work({ data, signal }: Task): Promise<void> {
    const { store } = this.#options;
    const { job, first } = data as SliceTask;
    try {
      if (first === null) return await this.#writeCancelled(job, signal);
      const taken = await store.takeUp(job, first);
      if (taken === null || taken.inputs.size === 0) return;
      await this.#run(new SliceRun(taken, signal, this.#context()));
    } catch (cause) {
      // The engine gives the task again, here or elsewhere.
      if (!signal.aborted) this.#options.onError(job, cause);
      throw cause;
    }
  }

  async #run(run: SliceRun): Promise<void> {
    this.#runs.add(run);
    this.#open.add(run.job.id);
    this.#lanes.add(run);
    this.#lanes.dispatch();
    try {
      await run.done;
    } finally {
      this.#lanes.remove(run);
      this.#runs.delete(run);
      this.#lanes.dispatch();
    }
  }

  async #writeCancelled(job: string, signal: AbortSignal): Promise<void> {
    while (!(await this.#options.store.writeCancelled(job))) {
      signal.throwIfAborted();
      this.#notify(job);
    }
    this.#finished(job);
  }

  #context(): SliceRunContext {
    const { store, clock, onError } = this.#options;
    return {
      ...{ store, clock, onError },
      onProgress: (job) => {
        this.#notify(job);
        this.#lanes.dispatch();
      },
      onFinished: (job) => this.#finished(job),
    };
  }

  #finished(job: string): void {
    this.#open.delete(job);
    this.#notify(job);
    this.#options.onFinished(job);
  }

  #notify(id: string): void {
    this.#notifiers.get(id)?.notify();
    this.#notifiers.delete(id);
  }

  /** Gives up slices of jobs that were cancelled or deleted, and leaves those that ended elsewhere. */
  async #look(): Promise<void> {
    if (this.#open.size === 0) return;
    // Only these jobs are compared: one that begins here while the states are read is not among them.
    const ids = new Set(this.#open);
    const states = await this.#options.store.states([...ids]);
    const isOpen = (job: string) =>
      !ids.has(job) || states.get(job) === 'queued' || states.get(job) === 'running';
    for (const run of this.#runs) if (!isOpen(run.job.id)) run.giveUp();
    for (const job of ids) {
      if (isOpen(job) || !this.#open.delete(job)) continue;
      this.#notify(job);
      this.#options.onLeft(job);
    }
  }

  async #resend(): Promise<void> {
    await this.#options.store.resend(this.#options.engine);
  }

  /** Does something again and again until the runner stops. */
  async #repeat(interval: number, work: () => Promise<void>, atOnce = false): Promise<void> {
    const { clock, onError } = this.#options;
    const { signal } = this.#stopping;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        if (!(isFirst && atOnce)) await clock.sleep(interval, signal);
        await work();
      } catch (cause) {
        if (!signal.aborted) onError('', cause);
        // A slice that failed at once waits before its next try.
        if (isFirst && atOnce) await clock.sleep(pollInterval, signal).catch(() => undefined);
      }
    }
  }
}
