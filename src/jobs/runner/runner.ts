import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Backoff } from '../../../lib/batch/backoff.js';
import { Notifier } from '../../../lib/batch/notifier.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Platform } from '../../../lib/platforms.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { RunnerStore } from '../job-store.js';
import type { ResultsFiles } from '../results/results-files.js';
import { serialTask } from '../serial-task.js';
import { FairTurns } from './fair-turns.js';
import { JobRun, type JobRunContext } from './job-run.js';
import { type CallFunction, runInput } from './run-input.js';

export interface RunnerOptions {
  readonly store: RunnerStore;
  readonly files: ResultsFiles;
  readonly clock: Clock;
  readonly docsBase: string;
  readonly endpoints: readonly Endpoint[];
  readonly ask: CallFunction;
  /** Inputs of a platform that run at once. */
  readonly slots: (platform: Platform) => number;
  /** Milliseconds to wait after a refusal that names no time. */
  readonly cooldownMs: number;
  /** Runs when a job's last line is written. */
  readonly onFinished: (id: string) => void;
  /** Gets what keeps lines from being written now. */
  readonly onError: (id: string, cause: unknown) => void;
}

/** Milliseconds between polls for jobs that another process made or cancelled. */
const pollInterval = 2000;

/** One platform's inputs under way. */
interface Lane {
  readonly turns: FairTurns<JobRun>;
  readonly slots: number;
  readonly backoff: Backoff;
  running: number;
}

/** Works through the inputs of all jobs, a bounded number at once for each platform, fairly. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #runs = new Map<string, JobRun>();
  readonly #lanes = new Map<string, Lane>();
  readonly #notifiers = new Map<string, Notifier>();
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();
  readonly #look = serialTask(() => this.#takeUpJobs());
  /** Jobs that finished since the last look began: what it read of them may be out of date. */
  readonly #finished = new Set<string>();
  #dispatching = false;
  #polling: Promise<void> | undefined;

  constructor(options: RunnerOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stopping.signal);
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
    const deleted = await this.#options.store.missing([...this.#runs.keys()]);
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
    await Promise.all(this.#working);
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
    const jobs = await store.unfinished();
    if (signal.aborted) return;
    for (const job of jobs) {
      const known = this.#runs.get(job.id);
      if (known === undefined && !this.#finished.has(job.id)) this.#add(new JobRun(job, this.#runContext()));
      else if (job.status === 'cancelled') known?.cancel();
    }
    await this.dropDeleted();
    this.#dispatch();
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
        this.#dispatch();
      },
      onFinished: (run) => {
        this.#finished.add(run.job.id);
        this.#runs.delete(run.job.id);
        this.#lane(run).turns.remove(run);
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
    this.#lane(run).turns.add(run);
  }

  #lane({ job }: JobRun): Lane {
    const platform = job.endpoint.split('/', 1)[0] as Platform;
    const known = this.#lanes.get(platform);
    if (known !== undefined) return known;
    const { clock, cooldownMs, slots } = this.#options;
    const lane: Lane = {
      turns: new FairTurns(),
      slots: slots(platform),
      backoff: new Backoff('wait', cooldownMs, clock, () => undefined),
      running: 0,
    };
    this.#lanes.set(platform, lane);
    return lane;
  }

  /** Fills free slots, once in a turn of the event loop. */
  #dispatch(): void {
    if (this.#dispatching) return;
    this.#dispatching = true;
    void setImmediate().then(() => {
      this.#dispatching = false;
      if (this.#stopping.signal.aborted) return;
      for (const lane of this.#lanes.values()) this.#fill(lane);
    });
  }

  #fill(lane: Lane): void {
    while (lane.running < lane.slots) {
      // Nobody gets the last slot as well: what hangs in all the others still lets the next account in.
      const run = lane.turns.next(Math.max(1, lane.slots - 1));
      if (run === null) return;
      const work = this.#run(run, lane);
      this.#working.add(work);
      void work.finally(() => this.#working.delete(work));
    }
  }

  async #run(run: JobRun, lane: Lane): Promise<void> {
    const { endpoints, ask } = this.#options;
    lane.running += 1;
    let taken: Awaited<ReturnType<JobRun['take']>> = null;
    try {
      taken = await run.take();
      if (taken === null) return;
      const { job } = run;
      const endpoint = endpoints.find(({ path }) => path === job.endpoint);
      run.end(taken.index, await runInput({ job, ...taken, endpoint }, ask, lane.backoff, this.#options));
    } catch (cause) {
      // An unusable store, or a shortage. The next try follows after a pause, with the slot held so that nothing spins.
      if (taken !== null) run.putBack(taken.index);
      this.#options.onError(run.job.id, cause);
      await this.#options.clock.sleep(pollInterval, this.#stopping.signal).catch(() => undefined);
    } finally {
      lane.running -= 1;
      this.#dispatch();
    }
  }
}
