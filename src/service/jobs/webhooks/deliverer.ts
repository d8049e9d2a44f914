import { PeriodicTask } from '../../../../lib/runtime/periodic-task.js';
import { type AttemptOptions, makeAttempt } from './attempt.js';
import type { DueDelivery, Webhooks } from './webhooks.js';

export interface DelivererOptions extends AttemptOptions {
  readonly store: Webhooks;
  /** Gets what kept an attempt from being made or recorded. */
  readonly onError: (job: string, cause: unknown) => void;
}

/** Attempts at once, in all and to one host: a receiver that hangs does not hold up the others. */
const maxConcurrent = 64;
const maxPerHost = 4;
/** Milliseconds from one look for due deliveries to the next, at most. */
const pollInterval = 5000;

/** Makes the attempts of webhooks when they are due: at least once each, whatever ends the process in between. */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #toHost = new Map<string, number>();
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
    await Promise.all(this.#underWay.values());
    await this.#options.sender.close();
  }

  /** Resolves with the milliseconds until the next look. */
  async #beginDue(): Promise<number> {
    const { store, clock, onError } = this.#options;
    this.#ended.clear();
    try {
      const due = await store.listDue();
      const next = await store.findNextDue();
      if (this.#stopping.signal.aborted) return pollInterval;
      for (const delivery of due) this.#begin(delivery);
      if (next !== null) return Math.min(pollInterval, Math.max(1, next - clock.now()));
    } catch (cause) {
      onError('', cause);
    }
    return pollInterval;
  }

  #begin(delivery: DueDelivery): void {
    const { host } = new URL(delivery.url);
    const toHost = this.#toHost.get(host) ?? 0;
    const { id } = delivery.job;
    if (
      this.#ended.has(id) ||
      this.#underWay.has(id) ||
      this.#underWay.size >= maxConcurrent ||
      toHost >= maxPerHost
    )
      return;
    this.#toHost.set(host, toHost + 1);
    const attempt = makeAttempt(this.#options, delivery, this.#stopping.signal)
      .then(
        () => true,
        (cause: unknown) => {
          if (!this.#stopping.signal.aborted) this.#options.onError(id, cause);
          return false;
        },
      )
      .then((recorded) => {
        this.#underWay.delete(id);
        if (recorded) this.#ended.add(id);
        const left = (this.#toHost.get(host) ?? 1) - 1;
        if (left === 0) this.#toHost.delete(host);
        else this.#toHost.set(host, left);
        // An attempt that could not be recorded is still due: the next look, after a pause, begins it.
        if (recorded) this.wake();
      });
    this.#underWay.set(id, attempt);
  }
}
