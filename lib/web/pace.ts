import pLimit, { type LimitFunction } from 'p-limit';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';

/**
 * The pace of requests to one platform: how many at once, and milliseconds between the starts of two. First
 * come, first served.
 */
export class Pace {
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #slots: LimitFunction;
  /** One request at a time waits for its start: an aborted one does not delay those behind it. */
  readonly #gate = pLimit(1);
  #lastStart = Number.NEGATIVE_INFINITY;

  constructor(ms: number, concurrency: number, clock: Clock) {
    this.#ms = ms;
    this.#clock = clock;
    this.#slots = pLimit(concurrency);
  }

  /** Does the work when it is its turn. Aborted while it waits: rejects at once, and the work is never begun. */
  run<T>(work: () => Promise<T>, signal: CallSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      signal.throwIfAborted();
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      const begun = this.#slots(async () => {
        signal.throwIfAborted();
        if (this.#ms > 0) await this.#gate(() => this.#waitForTurn(signal));
        signal.removeEventListener('abort', abort);
        return work();
      });
      begun.then(resolve, (reason: unknown) => {
        signal.removeEventListener('abort', abort);
        reject(reason);
      });
    });
  }

  async #waitForTurn(signal: CallSignal): Promise<void> {
    signal.throwIfAborted();
    // Never more than the pace itself, should the machine's clock have been set back.
    const wait = Math.min(this.#ms, this.#lastStart + this.#ms - this.#clock.now());
    if (wait > 0) await this.#clock.sleep(wait, signal);
    this.#lastStart = this.#clock.now();
  }
}
