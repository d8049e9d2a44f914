import { setImmediate } from 'node:timers/promises';
import { Backoff } from '../../../../lib/batch/backoff.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import type { Platform } from '../../../../lib/platforms.js';
import { AccountTurns } from '../../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { Sink } from '../../../lines/sink.js';
import type { JobAtWork } from '../job.js';
import type { JobLine } from './job-line.js';
import { type InputAtWork, type InputPorts, runInput } from './run-input.js';

/** Inputs of a job, started one by one. */
export interface InputRun {
  readonly job: JobAtWork;
  /** The destination of its lines. */
  readonly rows: Sink<JobLine>;
  /** True if another input can be started now. */
  readonly ready: boolean;
  /** Takes the next input, aborted by the signal; null for none. */
  take(): Promise<Pick<InputAtWork, 'index' | 'input' | 'signal'> | null>;
  /** Reports that a taken input has ended or was aborted. */
  end(index: number): void;
  /** Returns a taken input that could not run now. */
  putBack(index: number): void;
}

export interface LanesOptions extends Omit<InputPorts, 'backoff'> {
  readonly clock: Clock;
  readonly endpoints: readonly Endpoint[];
  /** Concurrent inputs per platform. */
  readonly slots: (platform: Platform) => number;
  /** Milliseconds to wait after a refusal without a time. */
  readonly cooldownMs: number;
  /** Stops everything; no further input starts. */
  readonly stopping: AbortSignal;
  /** Called with what currently prevents an input from running. */
  readonly onError: (id: string, cause: unknown) => void;
}

/** Milliseconds to hold a slot after a store failed or resources ran out. */
const pauseMs = 2000;

interface Lane<Run> {
  readonly scheduler: AccountTurns;
  /** By account, then by the number of the run: a job may have several slices in progress. */
  readonly runs: Map<string, Map<string, Run>>;
  readonly slots: number;
  readonly backoff: Backoff;
  running: number;
}

/** Runs the inputs of all active jobs fairly, with a limit per platform. */
export class Lanes<Run extends InputRun> {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane<Run>>();
  readonly #working = new Set<Promise<void>>();
  #added = 0;
  #dispatching = false;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  add(run: Run): void {
    const { runs } = this.#lane(run);
    const { account } = run.job;
    const runsOfAccount = runs.get(account) ?? new Map<string, Run>();
    this.#added += 1;
    runs.set(account, runsOfAccount.set(String(this.#added), run));
  }

  remove(run: Run): void {
    const { runs } = this.#lane(run);
    const { account } = run.job;
    const runsOfAccount = runs.get(account) ?? new Map<string, Run>();
    for (const [name, one] of runsOfAccount) if (one === run) runsOfAccount.delete(name);
    if (runsOfAccount.size === 0) runs.delete(account);
  }

  /** Fills free slots, once per turn of the event loop. */
  dispatch(): void {
    if (this.#dispatching) return;
    this.#dispatching = true;
    void setImmediate().then(() => {
      this.#dispatching = false;
      if (this.#options.stopping.aborted) return;
      for (const lane of this.#lanes.values()) this.#fill(lane);
    });
  }

  /** Resolves once no input is running, after `stopping` was aborted. */
  async quiet(): Promise<void> {
    await Promise.all(this.#working);
  }

  #lane({ job }: Run): Lane<Run> {
    const platform = job.endpoint.split('/', 1)[0] as Platform;
    const existing = this.#lanes.get(platform);
    if (existing !== undefined) return existing;
    const { clock, cooldownMs, slots } = this.#options;
    const lane: Lane<Run> = {
      scheduler: new AccountTurns(clock),
      runs: new Map(),
      slots: slots(platform),
      backoff: new Backoff('wait', cooldownMs, clock, () => undefined),
      running: 0,
    };
    this.#lanes.set(platform, lane);
    return lane;
  }

  #fill(lane: Lane<Run>): void {
    while (lane.running < lane.slots) {
      // No account gets the last slot: if all others hang, the next account can still start.
      const turn = lane.scheduler.begin(lane.runs, Math.max(1, lane.slots - 1), ({ ready }) => ready);
      if (turn === null) return;
      const work = this.#run(turn.work, lane).finally(turn.end);
      this.#working.add(work);
      void work.then(() => this.#working.delete(work));
    }
  }

  async #run(run: Run, lane: Lane<Run>): Promise<void> {
    const { endpoints, clock, stopping, onError } = this.#options;
    lane.running += 1;
    let input: Awaited<ReturnType<InputRun['take']>> = null;
    try {
      input = await run.take();
      if (input === null) return;
      const { job, rows } = run;
      const endpoint = endpoints.find(({ path }) => path === job.endpoint);
      await runInput({ job, ...input, endpoint }, rows, { ...this.#options, backoff: lane.backoff });
      run.end(input.index);
    } catch (cause) {
      // A store failed, or resources ran out. Holds the slot for a pause, to avoid a busy loop.
      if (input !== null) run.putBack(input.index);
      onError(run.job.id, cause);
      await clock.sleep(pauseMs, stopping).catch(() => undefined);
    } finally {
      lane.running -= 1;
      this.dispatch();
    }
  }
}
