import { AccountTurns, accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import type { AttemptOutcome } from './sender.js';

export interface Due {
  /** The same for all attempts. */
  readonly id: string;
  readonly account: string;
  readonly url: string;
}

/** Due attempts, shared by several processes. */
export interface DueAttempts<D extends Due> {
  /** Returns due attempts, some of every account, so that one account's backlog hides no other's. */
  listDue(): Promise<readonly D[]>;
  /** Returns when the next attempt becomes due, milliseconds since 1970; null for none. */
  findNextDue(): Promise<number | null>;
  /** Claims a due attempt for `ms`. False if another process has claimed or made it. */
  claim(due: D, ms: number): Promise<boolean>;
  release(due: D): Promise<void>;
}

export interface DelivererOptions<D extends Due> {
  readonly store: DueAttempts<D>;
  readonly clock: Clock;
  /**
   * Makes an attempt, records the outcome and resolves with it. Rejects with the signal's reason, and if it cannot be
   * recorded.
   */
  readonly attempt: (due: D, signal: AbortSignal) => Promise<AttemptOutcome>;
  /** Milliseconds until another process may make an attempt whose process was killed: longer than an attempt takes. */
  readonly claimMs: number;
  /** Called if an attempt could not be made or recorded; null if it concerns all of them. */
  readonly onError: (due: D | null, cause: unknown) => void;
}

/** Milliseconds that an attempt blocks the event loop, for its connection, signature and row (measured 2026-11). */
const attemptMs = 2;
/** Maximum milliseconds between searches. */
const pollInterval = 2000;
/** Concurrent attempts of one account, and to one host. */
export const [maxPerAccount, maxPerHost] = [8, 4];
/** Concurrent attempts in total, and to hosts that did not respond last time, which are tried one by one. */
const [maxAtOnce, maxToSilentHosts] = [128, 16];
const maxHosts = 10_000;

const hostOf = ({ url }: Due) => new URL(url).host;

function byHost<D extends Due>(due: readonly D[]): Map<string, Map<string, D[]>> {
  const accounts = Map.groupBy(due, ({ account }) => account);
  return new Map([...accounts].map(([account, dues]) => [account, Map.groupBy(dues, hostOf)]));
}

/**
 * Makes due attempts, at least once each, even if the process ends in between. Several processes may run it. Accounts
 * take turns, then the hosts of each.
 */
export class Deliverer<D extends Due> {
  readonly #options: DelivererOptions<D>;
  readonly #turns: AccountTurns;
  /** By delivery id. */
  readonly #running = new Map<string, Promise<void>>();
  /** Hosts that did not respond last time. */
  readonly #silent = new Set<string>();
  #toSilent = 0;
  readonly #stopping = new AbortController();
  readonly #searches: PeriodicTask;
  /** Deliveries whose attempt ended during the current search, which may have read outdated rows. */
  readonly #ended = new Set<string>();

  constructor(options: DelivererOptions<D>) {
    this.#options = options;
    this.#turns = new AccountTurns(options.clock);
    this.#searches = new PeriodicTask(options.clock, pollInterval, () => this.#beginDue());
  }

  /** Starts every due attempt, and schedules the next search. */
  wake(): void {
    void this.#searches.run();
  }

  /** Aborts attempts in progress, which are retried at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The server stops.', 'AbortError'));
    // A search in progress starts nothing more.
    await this.#searches.stop();
    await Promise.all(this.#running.values());
  }

  /** Resolves with the milliseconds until the next search. */
  async #beginDue(): Promise<number> {
    const { store, clock, onError } = this.#options;
    // Each attempt that ends triggers a search.
    if (this.#running.size >= maxAtOnce) return pollInterval;
    this.#ended.clear();
    try {
      const due = await store.listDue();
      const next = await store.findNextDue();
      if (this.#stopping.signal.aborted) return pollInterval;
      this.#begin(due.filter(({ id }) => !this.#ended.has(id) && !this.#running.has(id)));
      if (next !== null) return Math.min(pollInterval, Math.max(1, next - clock.now()));
    } catch (cause) {
      onError(null, cause);
    }
    return pollInterval;
  }

  #begin(due: readonly D[]): void {
    const waiting = byHost(due);
    const mayBegin = ({ length }: readonly D[], host: string, running: number) => {
      if (length === 0) return false;
      return this.#silent.has(host) ? running < 1 && this.#toSilent < maxToSilentHosts : running < maxPerHost;
    };
    while (this.#running.size < maxAtOnce) {
      const turn = this.#turns.begin(waiting, maxPerAccount, mayBegin);
      const delivery = turn?.work.shift();
      if (turn === null || delivery === undefined) return;
      this.#attempt(delivery, turn.name, turn.end);
    }
  }

  #attempt(delivery: D, host: string, end: () => void): void {
    const { id } = delivery;
    const isSilent = this.#silent.has(host);
    if (isSilent) this.#toSilent += 1;
    const attempt = this.#make(delivery)
      .catch((cause: unknown) => {
        if (!this.#stopping.signal.aborted) this.#options.onError(delivery, cause);
        return null;
      })
      .then((outcome) => {
        end();
        this.#running.delete(id);
        if (isSilent) this.#toSilent -= 1;
        // A failure to record does not count against the host; an accepted e-mail has no status.
        this.#silent.delete(host);
        if (outcome !== null && outcome.status === null && outcome.error !== null) this.#silent.add(host);
        const [oldest] = this.#silent;
        if (oldest !== undefined && this.#silent.size > maxHosts) this.#silent.delete(oldest);
        // A later search finds an attempt that was not made or recorded here.
        if (outcome === null) return;
        this.#ended.add(id);
        this.wake();
      });
    this.#running.set(id, attempt);
  }

  /** Makes an attempt and resolves with the outcome; null if another process makes it. */
  async #make(delivery: D): Promise<AttemptOutcome | null> {
    const { store, attempt, claimMs } = this.#options;
    await accountTurns.next(delivery.account, attemptMs);
    if (!(await store.claim(delivery, claimMs))) return null;
    try {
      return await attempt(delivery, this.#stopping.signal);
    } catch (cause) {
      // If releasing fails, too, the claim expires.
      await store.release(delivery).catch(() => undefined);
      throw cause;
    }
  }
}
