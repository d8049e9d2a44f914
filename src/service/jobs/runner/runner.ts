import { setMaxListeners } from 'node:events';
import { Notifier } from '../../../../lib/batch/notifier.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import { Lanes, type LanesOptions } from './lanes.js';
import { SliceRun, type SliceRunContext } from './slice-run.js';
import type { LineStore } from './slice-store.js';
import type { SliceTask, Tasks } from './tasks.js';

export interface RunnerOptions
  extends Omit<LanesOptions, 'stopping'>,
    Pick<SliceRunContext, 'docsBase' | 'gather'> {
  readonly tasks: Tasks;
  readonly store: LineStore;
  readonly clock: Clock;
  /** Called when the last line of a job was written here. */
  readonly onFinished: (job: string) => void;
  /** Called when a job was deleted, or ended with its last line written elsewhere. */
  readonly onLeft: (job: string) => void;
}

/** Milliseconds between checks of the active jobs, which others may cancel or delete. */
const pollInterval = 2000;

/** Works on this process's slices fairly, with a limit of inputs per platform. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #stopping = new AbortController();
  readonly #lanes: Lanes<SliceRun>;
  readonly #runs = new Set<SliceRun>();
  /** Jobs that this process works on and that were unfinished at the last check. */
  readonly #open = new Set<string>();
  readonly #notifiers = new Map<string, Notifier>();
  readonly #checks: PeriodicTask;

  constructor(options: RunnerOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stopping.signal);
    this.#lanes = new Lanes({ ...options, stopping: this.#stopping.signal });
    const check = () => this.#leaveOthers().catch((cause: unknown) => options.onError('', cause));
    this.#checks = new PeriodicTask(options.clock, pollInterval, check);
  }

  /** Starts once the store is reachable. */
  start(): void {
    this.#options.tasks.start((task, signal) => this.#work(task, signal));
    this.#checks.arm();
  }

  /** Must be called when a job was created or cancelled in this process. */
  wake(): void {
    this.#options.tasks.wake();
    void this.checkJobs();
  }

  /** Aborts slices of cancelled and deleted jobs, and forgets jobs that ended elsewhere. */
  checkJobs(): Promise<void> {
    return this.#checks.run();
  }

  /** Resolves when lines of the job were added here, or it was finished. */
  nextProgress(id: string): Promise<void> {
    if (!this.#open.has(id)) return new Promise(() => undefined);
    const notifier = this.#notifiers.get(id) ?? new Notifier();
    this.#notifiers.set(id, notifier);
    return notifier.next();
  }

  /** Aborts running calls, writes those that have ended, and starts nothing new. Another process continues the rest. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The runner stops.', 'AbortError'));
    await this.#checks.stop();
    await this.#options.tasks.stop();
    await this.#lanes.quiet();
    for (const id of this.#notifiers.keys()) this.#notify(id);
  }

  async #work({ job, first }: SliceTask, signal: AbortSignal): Promise<void> {
    const { store, onError } = this.#options;
    try {
      if (first === null) return await this.#writeCancelled(job, signal);
      const slice = await store.resume(job, first);
      if (slice !== null) await this.#run(new SliceRun(slice, signal, this.#context()));
    } catch (cause) {
      // The task will be assigned again.
      if (!signal.aborted) onError(job, cause);
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
    this.#open.add(job);
    for (const run of this.#runs) if (run.job.id === job) run.giveUp();
    while (!(await this.#options.store.writeCancelled(job))) {
      signal.throwIfAborted();
      this.#notify(job);
    }
    this.#finished(job);
  }

  #context(): SliceRunContext {
    const { store, clock, docsBase, gather, onError } = this.#options;
    return {
      ...{ store, clock, docsBase, gather, onError },
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

  async #leaveOthers(): Promise<void> {
    if (this.#open.size === 0) return;
    // A copy, so that a job that starts while the states are read is not compared.
    const ids = new Set(this.#open);
    const states = await this.#options.store.states([...ids]);
    const runs = [...this.#runs].filter(({ job }) => ids.has(job.id));
    for (const run of runs) {
      const state = states.get(run.job.id);
      if (state !== 'queued' && state !== 'running') run.giveUp();
      // It may be writing the last line, and then reports that itself.
      ids.delete(run.job.id);
    }
    for (const job of ids) {
      if (states.has(job) || !this.#open.delete(job)) continue;
      this.#notify(job);
      this.#options.onLeft(job);
    }
  }
}
