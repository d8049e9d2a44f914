import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import { type AttemptOptions, makeAttempt } from './attempt.js';
import type { Sent } from './sender.js';
import { type Begun, DeliveryTurns } from './turns.js';
import type { DueDelivery, Webhooks } from './webhooks.js';

export interface DelivererOptions extends AttemptOptions {
  readonly store: Webhooks;
  /** Gets what kept an attempt from being made or recorded. */
  readonly onError: (job: string, cause: unknown) => void;
}

/** Milliseconds from one look for due deliveries to the next, at most. */
const pollInterval = 2000;
/** Milliseconds after which another process makes the attempt of one that was killed: longer than an attempt takes. */
const claimMs = 20_000;

/**
 * Makes the attempts of webhooks when they are due: at least once each, whatever ends the process in between. Any number of
 * processes may do so.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #turns = new DeliveryTurns();
  readonly #underWay = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #looks: PeriodicTask;
  /** Jobs whose attempt ended since the last look began: what it read of them may be out of date. */
  readonly #ended = new Set<string>();

  constructor(options: DelivererOptions) {
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
    await this.#options.sender.close();
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
      const open = due.filter(({ job }) => !this.#ended.has(job.id));
      for (const begun of this.#turns.begin(open)) this.#attempt(begun);
      if (next !== null) return Math.min(pollInterval, Math.max(1, next - clock.now()));
    } catch (cause) {
      onError('', cause);
    }
    return pollInterval;
  }

  #attempt({ delivery, end }: Begun): void {
    const { id } = delivery.job;
    const attempt = this.#make(delivery)
      .catch((cause: unknown) => {
        if (!this.#stopping.signal.aborted) this.#options.onError(id, cause);
        return null;
      })
      .then((sent) => {
        // A failure to record the attempt does not count against the host.
        end(sent === null || sent.status !== null);
        this.#underWay.delete(attempt);
        // One that was not made or recorded here is left to a later look.
        if (sent === null) return;
        this.#ended.add(id);
        this.wake();
      });
    this.#underWay.add(attempt);
  }

  /** Makes an attempt and resolves with what came of it; null where another process makes it. */
  async #make(delivery: DueDelivery): Promise<Sent | null> {
    const { store } = this.#options;
    if (!(await store.claim(delivery, claimMs))) return null;
    try {
      return await makeAttempt(this.#options, delivery, this.#stopping.signal);
    } catch (cause) {
      // Where it cannot be given back either, it is due again by itself.
      await store.release(delivery).catch(() => undefined);
      throw cause;
    }
  }
}
