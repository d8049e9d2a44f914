import pLimit, { type LimitFunction } from 'p-limit';
import { type CallSignal, whileWaiting } from '../runtime/abort.js';
import { type Clock, hourMs } from '../runtime/clock.js';

/**
 * Reserves the moment at which the next request may begin; undefined where nobody can be asked. `instead` is a moment
 * that was reserved before and passed unused.
 */
export type Reserve = (instead: number | undefined, signal: CallSignal) => Promise<number | undefined>;

/** A request that begins later than this share of the pace would come too close to the next. */
const tolerance = 0.05;
/** Timers are no more exact than this. */
const minToleranceMs = 2;

/**
 * The pace of requests to one platform: how many at once, and milliseconds between the starts of two. First
 * come, first served. With `reserve` the moments are shared with other processes.
 */
export class Pace {
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #reserve: Reserve;
  readonly #slots: LimitFunction;
  /** One request at a time waits for its start: an aborted one does not delay those behind it. */
  readonly #gate = pLimit(1);
  #lastStart = Number.NEGATIVE_INFINITY;
  /** A moment that an aborted request left. */
  #unused: number | undefined;
  readonly #perHour: number;
  /** Starts within the last hour, if they are limited; the oldest first. */
  #starts: readonly number[] = [];

  constructor(
    ms: number,
    concurrency: number,
    clock: Clock,
    reserve: Reserve = async () => undefined,
    perHour = Number.POSITIVE_INFINITY,
  ) {
    this.#perHour = perHour;
    this.#ms = ms;
    this.#clock = clock;
    this.#reserve = reserve;
    this.#slots = pLimit(concurrency);
  }

  /**
   * Does the work when it is its turn. Aborted or stopped while it waits: rejects at once, and the work is never begun.
   * `check` may throw what stops it, before a moment is reserved and when its turn has come.
   */
  async run<T>(work: () => Promise<T>, signal: CallSignal, check = async () => {}): Promise<T> {
    const { done } = await whileWaiting(
      signal,
      (waiting) =>
        new Promise<{ readonly done: Promise<T> }>((resolve, reject) => {
          waiting.throwIfAborted();
          const abort = () => reject(waiting.reason);
          waiting.addEventListener('abort', abort, { once: true });
          const begun = this.#slots(async () => {
            waiting.throwIfAborted();
            if (this.#ms > 0) await this.#gate(() => this.#waitForTurn(waiting, check));
            await check();
            waiting.throwIfAborted();
            waiting.removeEventListener('abort', abort);
            const done = work();
            resolve({ done });
            await done;
          });
          begun.catch((reason: unknown) => {
            waiting.removeEventListener('abort', abort);
            reject(reason);
          });
        }),
    );
    return done;
  }

  async #waitForTurn(signal: CallSignal, check: () => Promise<void>): Promise<void> {
    signal.throwIfAborted();
    await check();
    await this.#waitForBudget(signal);
    let at = this.#unused ?? (await this.#reserve(undefined, signal));
    this.#unused = undefined;
    while (at !== undefined) {
      await this.#sleepUntil(at, signal);
      if (this.#clock.now() - at <= Math.max(minToleranceMs, this.#ms * tolerance)) break;
      // The machine was busy, or slept: the moment after this one may be another's and near.
      at = await this.#reserve(at, signal);
    }
    if (at === undefined) {
      // Never more than the pace itself, should the machine's clock have been set back.
      const wait = Math.min(this.#ms, this.#lastStart + this.#ms - this.#clock.now());
      if (wait > 0) await this.#clock.sleep(wait, signal);
    }
    this.#lastStart = this.#clock.now();
    if (this.#perHour < Number.POSITIVE_INFINITY) this.#starts = [...this.#starts, this.#lastStart];
  }

  /** Waits until fewer requests than an hour may have began within the last one. */
  async #waitForBudget(signal: CallSignal): Promise<void> {
    if (this.#ms === 0 || this.#perHour === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.now();
    this.#starts = this.#starts.filter((start) => start <= now && now - start < hourMs);
    const [oldest] = this.#starts;
    if (oldest !== undefined && this.#starts.length >= this.#perHour) {
      await this.#clock.sleep(oldest + hourMs - now, signal);
    }
  }

  async #sleepUntil(at: number, signal: CallSignal): Promise<void> {
    const wait = at - this.#clock.now();
    try {
      signal.throwIfAborted();
      if (wait > 0) await this.#clock.sleep(wait, signal);
    } catch (reason) {
      this.#unused = at;
      throw reason;
    }
  }
}
