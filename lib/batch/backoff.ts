import { detailsWithin, docsBaseOf, ExtractError } from '../errors/extract-error.js';
import type { CallSignal } from '../runtime/abort.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import { CooldownRefusal } from '../web/cooldown.js';

/**
 * The policy of a batch when the platform refuses: wait while its cool-down is short, stop, or let the inputs fail.
 */
export type OnRefusal = 'wait' | 'stop' | 'fail';

/** A cool-down that is waited for. */
export interface BackoffPeriod {
  readonly error: ExtractError;
  /** When the next call is made, in milliseconds since 1970. */
  readonly until: number;
}

/** The cool-down where neither the platform nor a setting names one. */
const defaultPeriodMs = 60_000;
/** The longest cool-down that is waited for: as long as the web door's own at most. */
const maxPeriodMs = 15 * 60_000;
/** Refusals in a row, with no answer between them, after which waiting is no use. */
const maxInRow = 3;

/** Waits for a platform that refuses, on behalf of all inputs of a batch. */
export class Backoff {
  readonly #onRefusal: OnRefusal;
  readonly #clock: Clock;
  readonly #firstMs: number;
  readonly #onBackoff: (period: BackoffPeriod) => void;
  #until = 0;
  /** The last refusal that the platform gave, and not a cool-down in its place. */
  #cause: ExtractError | undefined;
  #inRow = 0;

  /**
   * `firstMs` is the cool-down that the web door gives where the platform names none. `onBackoff` is called for each
   * that begins.
   */
  constructor(
    onRefusal: OnRefusal,
    firstMs: number,
    clock: Clock,
    onBackoff: (period: BackoffPeriod) => void,
  ) {
    this.#onRefusal = onRefusal;
    this.#firstMs = firstMs === 0 ? defaultPeriodMs : firstMs;
    this.#clock = clock;
    this.#onBackoff = onBackoff;
  }

  /** Resolves when the platform may be called; rejects when the signal is aborted first. */
  async wait(signal: CallSignal): Promise<void> {
    for (let remainingMs = this.#left(); remainingMs > 0; remainingMs = this.#left())
      await this.#clock.sleep(remainingMs, signal);
  }

  /** Resolves after so many milliseconds; rejects when the signal is aborted first. */
  pause(ms: number, signal: CallSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }

  /** The platform answered. */
  recordAnswer(): void {
    this.#inRow = 0;
  }

  /**
   * The platform refused. Returns true when the input is to be tried again after the cool-down. Throws the refusal when
   * the batch is to stop.
   */
  recordRefusal(error: ExtractError): boolean {
    if (!(error instanceof CooldownRefusal)) this.#cause = error;
    if (this.#onRefusal === 'fail') return false;
    const ms = error.retryAfter === undefined ? this.#firstMs : error.retryAfter * 1000;
    // A request that was on its way when the platform refused is part of the same refusal.
    if (this.#left() <= 0) this.#inRow += 1;
    if (this.#onRefusal === 'stop' || ms > maxPeriodMs || this.#inRow > maxInRow) throw error;
    const until = elapsed(this.#clock) + ms;
    if (until > this.#until) {
      this.#until = until;
      this.#onBackoff({ error, until: this.#clock.now() + ms });
    }
    return true;
  }

  /**
   * The error of an input that a cool-down stopped: what the platform did, as whoever met it keeps it, or as this batch
   * met it.
   */
  causeOf(error: ExtractError): ExtractError {
    if (!(error instanceof CooldownRefusal)) return error;
    const origin = error.origin();
    const cause = this.#cause;
    if (origin !== null) return origin;
    if (cause === undefined) return error;
    const details = detailsWithin(error, error.requestId, docsBaseOf(error));
    return new ExtractError(cause.code, cause.message, details);
  }

  #left(): number {
    // Never longer than a cool-down can be, should a clock without `elapsed` have been set back.
    return Math.min(this.#until - elapsed(this.#clock), maxPeriodMs);
  }
}
