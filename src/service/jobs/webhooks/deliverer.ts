import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import type { Sent } from './sender.js';
import { type Begun, DeliveryTurns, type Due } from './turns.js';

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

/**
 * Makes the attempts of deliveries when they are due: at least once each, whatever ends the process in between. Any number of
 * processes may do so.
 */
export class Deliverer<D extends Due> {
  readonly #options: DelivererOptions<D>;
  readonly #turns = new DeliveryTurns<D>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #looks: PeriodicTask;
  /** Deliveries whose attempt ended since the last look began: what it read of them may be out of date. */
  readonly #ended = new Set<string>();

  constructor(options: DelivererOptions<D>) {
    this.#options = options;
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
    await Promise.all(this.#underWay);
  }

  /** Resolves with the milliseconds until the next look. */
  async #beginDue(): Promise<number> {
    const { store, clock, onError } = this.#options;
    // Each attempt that ends makes room, and looks again.
    if (this.#turns.isFull) return pollInterval;
    this.#ended.clear();
    try {
      const due = await store.listDue();
      const next = await store.findNextDue();
      if (this.#stopping.signal.aborted) return pollInterval;
      const open = due.filter(({ id }) => !this.#ended.has(id));
      for (const begun of this.#turns.begin(open)) this.#attempt(begun);
      if (next !== null) return Math.min(pollInterval, Math.max(1, next - clock.now()));
    } catch (cause) {
      onError(null, cause);
    }
    return pollInterval;
  }

  #attempt({ delivery, end }: Begun<D>): void {
    const { id } = delivery;
    const attempt = this.#make(delivery)
      .catch((cause: unknown) => {
        if (!this.#stopping.signal.aborted) this.#options.onError(delivery, cause);
        return null;
      })
      .then((sent) => {
        // A failure to record the attempt does not count against the host; a mail that was taken has no status.
        end(sent === null || sent.status !== null || sent.error === null);
        this.#underWay.delete(attempt);
        // One that was not made or recorded here is left to a later look.
        if (sent === null) return;
        this.#ended.add(id);
        this.wake();
      });
    this.#underWay.add(attempt);
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
