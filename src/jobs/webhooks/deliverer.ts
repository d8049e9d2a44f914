import { serialTask } from '../serial-task.js';
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
  readonly #look = serialTask(() => this.#beginDue());
  /** Jobs whose attempt ended since the last look began: what it read of them may be out of date. */
  readonly #ended = new Set<string>();
  #disarm: () => void = () => undefined;

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  /** Begins every attempt that is due, and sees to it that the next look is in time. */
  wake(): void {
    void this.#look();
  }

  /** Gives up what is under way; it is sent again at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('The server stops.', 'AbortError'));
    this.#disarm();
    // A look that is under way begins nothing more.
    await this.#look();
    await Promise.all(this.#underWay.values());
    await this.#options.sender.close();
  }

  async #beginDue(): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    const { store, clock, onError } = this.#options;
    let pause = pollInterval;
    this.#ended.clear();
    try {
      const due = await store.listDue();
      const next = await store.findNextDue();
      if (signal.aborted) return;
      for (const delivery of due) this.#begin(delivery);
      if (next !== null) pause = Math.min(pause, Math.max(1, next - clock.now()));
    } catch (cause) {
      onError('', cause);
    }
    if (signal.aborted) return;
    this.#disarm();
    this.#disarm = clock.alarm(pause, () => this.wake());
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
