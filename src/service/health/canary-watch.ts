import type { FetchLeases } from '../../../lib/cache/fetch-leases.js';
import type { Services } from '../../../lib/call/call.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { minuteMs } from '../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../lib/runtime/periodic-task.js';
import type { CanaryResult } from './canary.js';
import { canarySet, type ResolvedCanary } from './canary-set.js';
import { isOut } from './endpoint-state.js';
import { runCanaries } from './run-canaries.js';

/** Lets the servers of one database share canary rounds. */
export interface SharedRounds {
  readonly leases: FetchLeases;
  /** Milliseconds since 1970 at which any server last queried each endpoint, by path. */
  lastRound(): Promise<ReadonlyMap<string, number>>;
  /** Resolves once other servers can see this server's results. */
  publish(): Promise<void>;
}

export interface CanaryWatchOptions {
  readonly endpoints: readonly Endpoint[];
  readonly services: Services;
  /** The operator's file; undefined for the default canaries. */
  readonly file: string | undefined;
  readonly minutes: number;
  readonly shared?: SharedRounds | undefined;
  readonly onResult: (endpoint: Endpoint, result: CanaryResult) => void;
  readonly onError: (cause: unknown) => void;
}

/** Delay of the first round, because calls that were waiting for the server come first. */
const firstMs = 30_000;
/** Milliseconds until a failed canary is retried. */
const askAgainMs = 3 * minuteMs;
/** Milliseconds until a server checks again for another server's round. */
const pollMs = minuteMs;
/** Part of the interval after which a canary is due, because the servers' clocks differ a little. */
const dueShare = 0.9;
const roundKey = 'health:canaries';

/**
 * Runs the canaries in the background. A round that takes longer than the interval delays the next. Of the servers that
 * share rounds one runs each, and another takes over if it dies.
 */
export class CanaryWatch {
  readonly #options: CanaryWatchOptions;
  readonly #stopping = new AbortController();
  readonly #rounds: PeriodicTask;

  constructor(options: CanaryWatchOptions) {
    this.#options = options;
    const { services, minutes } = options;
    this.#rounds = new PeriodicTask(services.clock, minutes * minuteMs, () => this.#round());
  }

  start(): void {
    this.#rounds.arm(firstMs);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The server stops.'));
    await this.#rounds.stop();
  }

  async #round(): Promise<number | undefined> {
    const { endpoints, file, shared, onError } = this.#options;
    try {
      // Read for every round, so that a corrected file takes effect without a restart.
      const canaries = await canarySet(file, endpoints);
      if (shared !== undefined) return await this.#sharedRound(canaries, shared);
      await this.#ask(canaries);
    } catch (cause) {
      if (!this.#stopping.signal.aborted) onError(cause);
    }
    return undefined;
  }

  /** Runs the canaries that no other server has run. Resolves with the milliseconds until the next round. */
  async #sharedRound(canaries: readonly ResolvedCanary[], shared: SharedRounds): Promise<number> {
    const { services, minutes } = this.#options;
    const everyMs = minutes * minuteMs;
    if (!(await shared.leases.take(roundKey))) return pollMs;
    try {
      const last = await shared.lastRound();
      const ageOf = ({ endpoint }: ResolvedCanary) => services.clock.now() - (last.get(endpoint.path) ?? 0);
      const due = canaries.filter((placed) => ageOf(placed) >= everyMs * dueShare);
      if (due.length === 0) return Math.max(pollMs, everyMs - Math.max(0, ...canaries.map(ageOf)));
      await this.#ask(due);
    } finally {
      await shared.leases.release(roundKey);
    }
    return everyMs;
  }

  /** Runs canaries, and retries failures once, because single failures are often temporary. */
  async #ask(canaries: readonly ResolvedCanary[]): Promise<void> {
    const { services, shared, onResult } = this.#options;
    const { signal } = this.#stopping;
    const ask = async (some: readonly ResolvedCanary[]) => {
      const onEach = ({ endpoint }: ResolvedCanary, result: CanaryResult) => onResult(endpoint, result);
      const results = await runCanaries(some, { services, signal, onResult: onEach });
      await shared?.publish();
      return results;
    };
    const firstResults = await ask(canaries);
    const failed = firstResults.filter(({ result }) => isOut(result.outcome)).map(({ placed }) => placed);
    if (failed.length === 0) return;
    await services.clock.sleep(askAgainMs, signal);
    await ask(failed);
  }
}
