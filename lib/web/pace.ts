import pLimit, { type LimitFunction } from 'p-limit';
import { type CallSignal, whileWaiting } from '../runtime/abort.js';
import { type Clock, hourMs } from '../runtime/clock.js';

/**
 * Reserves the time of the next start; undefined if the store is unusable. `instead` is an earlier reservation that
 * went unused.
 */
export type Reserve = (instead: number | undefined, signal: CallSignal) => Promise<number | undefined>;

/** A request that starts later than this share of the pace would be too close to the next one. */
const tolerance = 0.05;
/** The precision of timers. */
const minToleranceMs = 2;

/**
 * The pace of requests to one platform: concurrent requests, and milliseconds between two starts. First come, first
 * served. With `reserve`, starts are shared with other processes.
 */
export class Pace {
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #reserve: Reserve;
  readonly #slots: LimitFunction;
  /** One request at a time waits to start, so that an aborted one does not delay those behind it. */
  readonly #gate = pLimit(1);
  #lastStart = Number.NEGATIVE_INFINITY;
  /** A reservation left by an aborted request. */
  #unused: number | undefined;
  readonly #perHour: number;
  /** Starts within the last hour, oldest first, if they are limited. */
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
   * Runs the work in turn. If aborted or stopped while waiting, rejects immediately and never starts the work. `check`
   * may throw to stop it, both before a time is reserved and when the turn has come.
   */
  async run<T>(work: () => Promise<T>, signal: CallSignal, check = async () => {}): Promise<T> {
    const { done } = await whileWaiting(
      signal,
      (waitAbort) =>
        new Promise<{ readonly done: Promise<T> }>((resolve, reject) => {
          waitAbort.throwIfAborted();
          const abort = () => reject(waitAbort.reason);
          waitAbort.addEventListener('abort', abort, { once: true });
          const reserving = this.#slots(async () => {
            waitAbort.throwIfAborted();
            if (this.#ms > 0) await this.#gate(() => this.#waitForTurn(waitAbort, check));
            await check();
            waitAbort.throwIfAborted();
            waitAbort.removeEventListener('abort', abort);
            const running = work();
            resolve({ done: running });
            await running;
          });
          reserving.catch((reason: unknown) => {
            waitAbort.removeEventListener('abort', abort);
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
      // The machine was busy or asleep; another process's start may be close.
      at = await this.#reserve(at, signal);
    }
    if (at === undefined) {
      // Never more than the interval itself, in case the machine's clock was set back.
      const wait = Math.min(this.#ms, this.#lastStart + this.#ms - this.#clock.now());
      if (wait > 0) await this.#clock.sleep(wait, signal);
    }
    this.#lastStart = this.#clock.now();
    if (this.#perHour < Number.POSITIVE_INFINITY) this.#starts = [...this.#starts, this.#lastStart];
  }

  /** Waits until the last hour has room for another request. */
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
