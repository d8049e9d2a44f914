import { setMaxListeners } from 'node:events';
import { Notifier } from '../../../../lib/batch/notifier.js';
import { serialTask } from '../../../../lib/runtime/serial-task.js';
import type { RunnerStore } from '../job-store.js';
import type { ResultsFiles } from '../results/results-files.js';
import { JobRun, type JobRunContext } from './job-run.js';
import { Lanes, type LanesOptions } from './lanes.js';

export interface RunnerOptions extends Omit<LanesOptions, 'stopping' | 'onError'> {
  readonly store: RunnerStore;
  readonly files: ResultsFiles;
  /** Runs when a job's last line is written. */
  readonly onFinished: (id: string) => void;
  /** Gets what keeps lines from being written now. */
  readonly onError: (id: string, cause: unknown) => void;
}

/** Milliseconds between polls for jobs that another process made or cancelled. */
const pollInterval = 2000;

/** Works through the inputs of all jobs, a bounded number at once for each platform, fairly. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #runs = new Map<string, JobRun>();
  readonly #lanes: Lanes<JobRun>;
  readonly #notifiers = new Map<string, Notifier>();
  readonly #stopping = new AbortController();
  readonly #look = serialTask(() => this.#takeUpJobs());
  /** Jobs that finished since the last look began: what it read of them may be out of date. */
  readonly #finished = new Set<string>();
  #polling: Promise<void> | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stopping.signal);
    this.#lanes = new Lanes({ ...options, stopping: this.#stopping.signal });
  }

  /** Takes up every job that is not finished, and looks for more until it is stopped. */
  async start(): Promise<void> {
    await this.#look();
    this.#polling = this.#poll();
  }

  /** Looks for jobs that were made or cancelled. */
  wake(): void {
    this.#look().catch((cause: unknown) => this.#options.onError('', cause));
  }

  /** Gives up the jobs at work that were deleted with their account, so that nothing more of them is written. */
  async dropDeleted(): Promise<void> {
    const deleted = await this.#options.store.listMissing([...this.#runs.keys()]);
    await Promise.all(deleted.map((id) => this.#runs.get(id)?.drop()));
  }

  /** Resolves when lines of the job were added, or it was finished. Never for a job that is not worked on here. */
  nextProgress(id: string): Promise<void> {
    if (!this.#runs.has(id)) return new Promise(() => undefined);
    const notifier = this.#notifiers.get(id) ?? new Notifier();
    this.#notifiers.set(id, notifier);
    return notifier.next();
  }

  /** Gives up what runs, writes what has ended, and begins nothing new. The rest is taken up at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The runner stops.', 'AbortError'));
    for (const run of this.#runs.values()) run.giveUp();
    await this.#polling;
    // One that is under way ends first, and this one finds that the runner stops.
    await this.#look().catch(() => undefined);
    await this.#lanes.quiet();
    await Promise.all([...this.#runs.values()].map((run) => run.quiet()));
    for (const id of this.#notifiers.keys()) this.#notify(id);
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#options.clock.sleep(pollInterval, signal);
        await this.#look();
      } catch (cause) {
        if (!signal.aborted) this.#options.onError('', cause);
      }
    }
  }

  async #takeUpJobs(): Promise<void> {
    const { store } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    this.#finished.clear();
    const jobs = await store.listUnfinished();
    if (signal.aborted) return;
    for (const job of jobs) {
      const known = this.#runs.get(job.id);
      if (known === undefined && !this.#finished.has(job.id)) this.#add(new JobRun(job, this.#runContext()));
      else if (job.status === 'cancelled') known?.cancel();
    }
    await this.dropDeleted();
    this.#lanes.dispatch();
  }

  #runContext(): JobRunContext {
    const { store, files, clock, docsBase, onFinished, onError } = this.#options;
    return {
      store,
      files,
      clock,
      docsBase,
      onError,
      stopping: this.#stopping.signal,
      onProgress: (run) => {
        this.#notify(run.job.id);
        this.#lanes.dispatch();
      },
      onFinished: (run) => {
        this.#finished.add(run.job.id);
        this.#runs.delete(run.job.id);
        this.#lanes.remove(run);
        this.#notify(run.job.id);
        onFinished(run.job.id);
      },
    };
  }

  #notify(id: string): void {
    this.#notifiers.get(id)?.notify();
    this.#notifiers.delete(id);
  }

  #add(run: JobRun): void {
    this.#runs.set(run.job.id, run);
    this.#lanes.add(run);
  }
}
