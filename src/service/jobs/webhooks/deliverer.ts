import { LRUCache } from 'lru-cache';
import { AccountTurns, accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import type { Sent } from './sender.js';

/** An attempt that is due. */
export interface Due {
  /** The same over all attempts. */
  readonly id: string;
  readonly account: string;
  /** Where it goes to. */
  readonly url: string;
}

/** The port to attempts that are due, which any number of processes may share. */
export interface DueAttempts<D extends Due> {
  /** Attempts that are due, of every account some; those piled up by one account keep no other from being listed. */
  listDue(): Promise<readonly D[]>;
  /** When the next attempt that is not due yet will be; milliseconds since 1970, null for none. */
  findNextDue(): Promise<number | null>;
  /**
   * Takes a due attempt for so many milliseconds, in which nobody else is given it. False where another process has taken or
   * made it.
   */
  claim(due: D, ms: number): Promise<boolean>;
  /** Gives back a claimed attempt that was not made. */
  release(due: D): Promise<void>;
}

export interface DelivererOptions<D extends Due> {
  readonly store: DueAttempts<D>;
  readonly clock: Clock;
  /** Makes an attempt, records what came of it and resolves with it. Rejects with the signal's reason, and where it cannot be recorded. */
  readonly attempt: (due: D, signal: AbortSignal) => Promise<Sent>;
  /** Milliseconds after which another process makes the attempt of one that was killed: longer than an attempt takes. */
  readonly claimMs: number;
  /** Gets what kept an attempt from being made or recorded; null for what kept all of them. */
  readonly onError: (due: D | null, cause: unknown) => void;
}

/** Milliseconds that an attempt takes of the event loop: for its connection, its signature and its row (measured 2026-11). */
const attemptMs = 2;
/** Maximum milliseconds between two looks for due deliveries. */
const pollInterval = 2000;
/** Attempts at once of one account, and to one host. */
export const [maxPerAccount, maxPerHost] = [8, 4];
/** Attempts at once, and those of them to hosts that did not answer the last time, which are tried one by one. */
const [maxAtOnce, maxToSilentHosts] = [128, 16];
/** Hosts without an answer that are remembered. */
const maxHosts = 10_000;

const hostOf = ({ url }: Due) => new URL(url).host;

/** Due attempts by account and host, in their order. */
function byHost<D extends Due>(due: readonly D[]): Map<string, Map<string, D[]>> {
  const accounts = Map.groupBy(due, ({ account }) => account);
  return new Map([...accounts].map(([account, own]) => [account, Map.groupBy(own, hostOf)]));
}

/**
 * Makes the attempts of deliveries when they are due: at least once each, whatever ends the process in between. Any number of
 * processes may do so. Accounts take turns, then the hosts of each.
 */
export class Deliverer<D extends Due> {
  readonly #options: DelivererOptions<D>;
  readonly #turns: AccountTurns;
  /** Attempts that run, by the IDs of their deliveries. */
  readonly #running = new Map<string, Promise<void>>();
  /** Hosts that did not answer the last time. */
  readonly #silent = new LRUCache<string, true>({ max: maxHosts });
  #toSilent = 0;
  readonly #stopping = new AbortController();
  readonly #looks: PeriodicTask;
  /** Deliveries whose attempt ended since the last look began: what it read of them may be out of date. */
  readonly #ended = new Set<string>();

  constructor(options: DelivererOptions<D>) {
    this.#options = options;
    this.#turns = new AccountTurns(options.clock);
    this.#looks = new PeriodicTask(options.clock, pollInterval, () => this.#beginDue());
  }

  /** Begins every attempt that is due, and sees to it that the next look is in time. */
  wake(): void {
    void this.#looks.run();
  }

  /** Gives up what is under way; it is sent again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The server stops.', 'AbortError'));
    // A look that is under way begins nothing more.
    await this.#looks.stop();
    await Promise.all(this.#running.values());
  }

  /** Resolves with the milliseconds until the next look. */
  async #beginDue(): Promise<number> {
    const { store, clock, onError } = this.#options;
    // Each attempt that ends makes room, and looks again.
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

  /** Begins the attempts whose turn it is. */
  #begin(due: readonly D[]): void {
    const waiting = byHost(due);
    const mayBegin = ({ length }: readonly D[], host: string, running: number) => {
      if (length === 0) return false;
      return this.#silent.has(host) ? running < 1 && this.#toSilent < maxToSilentHosts : running < maxPerHost;
    };
    while (this.#running.size < maxAtOnce) {
      const begun = this.#turns.begin(waiting, maxPerAccount, mayBegin);
      const delivery = begun?.work.shift();
      if (begun === null || delivery === undefined) return;
      this.#attempt(delivery, begun.name, begun.end);
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
      .then((sent) => {
        end();
        this.#running.delete(id);
        if (isSilent) this.#toSilent -= 1;
        // A failure to record the attempt does not count against the host; a mail that was taken has no status.
        if (sent === null || sent.status !== null || sent.error === null) this.#silent.delete(host);
        else this.#silent.set(host, true);
        // One that was not made or recorded here is left to a later look.
        if (sent === null) return;
        this.#ended.add(id);
        this.wake();
      });
    this.#running.set(id, attempt);
  }

  /** Makes an attempt and resolves with what came of it; null where another process makes it. */
  async #make(delivery: D): Promise<Sent | null> {
    const { store, attempt, claimMs } = this.#options;
    await accountTurns.next(delivery.account, attemptMs);
    if (!(await store.claim(delivery, claimMs))) return null;
    try {
      return await attempt(delivery, this.#stopping.signal);
    } catch (cause) {
      // Where it cannot be given back either, it is due again by itself.
      await store.release(delivery).catch(() => undefined);
      throw cause;
    }
  }
}
