import { detailsWithin, docsBaseOf, ExtractError } from '../errors/extract-error.js';
import type { CallSignal } from '../runtime/abort.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import { CooldownRefusal } from '../web/cooldown-refusal.js';

/** What a batch does when the platform refuses: wait until it answers, stop, or let the inputs fail. */
export type OnRefusal = 'wait' | 'stop' | 'fail';

export interface BackoffPeriod {
  readonly error: ExtractError;
  /** When the next call is made, in milliseconds since 1970. */
  readonly until: number;
}

/** The pause if neither the platform nor a setting specifies one. */
const defaultPeriodMs = 60_000;
/** The longest pause, unless the platform asks for more. */
const maxPeriodMs = 3_600_000;
/** Default time to wait for a platform that does not answer, in milliseconds. */
const defaultWaitMs = 15 * 60_000;

/** Two pauses that end within this many milliseconds of each other are reported once. */
const sameEndMs = 1000;

/** Waits for a platform that refuses, on behalf of all inputs of a batch. */
export class Backoff {
  readonly #onRefusal: OnRefusal;
  readonly #clock: Clock;
  readonly #firstMs: number;
  readonly #onBackoff: (period: BackoffPeriod) => void;
  readonly #waitAtMostMs: number;
  #until = 0;
  #pauseMs = 0;
  /** The first refusal since the last answer, and the pause after it. */
  #since = 0;
  #baseMs = 0;
  /** The platform's latest refusal, not an error raised during the cooldown. */
  #cause: ExtractError | undefined;
  #inRow = 0;
  #answers = 0;
  #isRefused = false;
  #reportedUntil = 0;

  /**
   * `firstMs` is the pause if the platform specifies none. `onBackoff` is called when a pause starts. The batch gives
   * up on a platform that refuses for `waitAtMostMs` without an answer in between.
   */
  constructor(
    onRefusal: OnRefusal,
    firstMs: number,
    clock: Clock,
    onBackoff: (period: BackoffPeriod) => void,
    waitAtMostMs = defaultWaitMs,
  ) {
    this.#onRefusal = onRefusal;
    this.#firstMs = firstMs === 0 ? defaultPeriodMs : firstMs;
    this.#clock = clock;
    this.#onBackoff = onBackoff;
    this.#waitAtMostMs = waitAtMostMs;
  }

  /** Answers so far. A refusal without a later answer says nothing about the input that met it. */
  get answers(): number {
    return this.#answers;
  }

  /** Resolves when the platform may be called; rejects if the signal is aborted first. */
  async wait(signal: CallSignal): Promise<void> {
    for (let remainingMs = this.#left(); remainingMs > 0; remainingMs = this.#left())
      await this.#clock.sleep(remainingMs, signal);
  }

  /** Resolves after this many milliseconds; rejects if the signal is aborted first. */
  async pause(ms: number, signal: CallSignal): Promise<void> {
    if (ms > 0) await this.#clock.sleep(ms, signal);
  }

  recordAnswer(): void {
    this.#inRow = 0;
    this.#isRefused = false;
    this.#answers += 1;
  }

  /**
   * Records a refusal. Returns the milliseconds that the input alone waits before a retry: 0 if all inputs wait
   * (`wait`), null if it is not retried. Throws the refusal if the batch must stop. A refusal concerns this input alone
   * if another platform answered, or if it is the first blocked page since an answer.
   */
  recordRefusal(error: ExtractError): number | null {
    const isRemembered = error instanceof CooldownRefusal;
    if (!isRemembered) this.#cause = error;
    if (this.#onRefusal === 'fail') return null;
    if (this.#onRefusal === 'stop') throw error;
    if (error.answeredElsewhere) return this.#pauseAlone(error);
    const isNamed = !isRemembered && error.retryAfter !== undefined;
    const isAlone =
      !this.#isRefused && error.code === 'platform_blocked' && error.scope !== 'address' && !isNamed;
    this.#isRefused = true;
    if (isAlone) return this.#pauseAlone(error);
    const now = elapsed(this.#clock);
    // A request already in flight when the platform refused belongs to the same refusal.
    const begins = this.#left() <= 0;
    if (begins) this.#inRow += 1;
    const requestedMs = error.retryAfter === undefined ? this.#firstMs : error.retryAfter * 1000;
    if (this.#inRow === 1 && begins) {
      this.#since = now;
      this.#baseMs = requestedMs;
    }
    const leftMs = this.#since + this.#waitAtMostMs - now;
    if (leftMs <= 0 || requestedMs > leftMs) throw error;
    const grownMs = Math.min(this.#baseMs * 2 ** (this.#inRow - 1), maxPeriodMs, leftMs);
    const ms = Math.max(requestedMs, grownMs);
    if (now + ms > this.#until) {
      this.#until = now + ms;
      this.#pauseMs = ms;
      if (begins) this.#report(error, ms);
    }
    return 0;
  }

  /** Returns and reports the pause of one input. */
  #pauseAlone(error: ExtractError): number {
    const ms = error.retryAfter === undefined ? this.#firstMs : error.retryAfter * 1000;
    this.#report(error, ms);
    return ms;
  }

  /** Reports a pause unless one with the same end was reported. */
  #report(error: ExtractError, ms: number): void {
    const until = this.#clock.now() + ms;
    if (until - this.#reportedUntil >= sameEndMs) this.#onBackoff({ error, until });
    this.#reportedUntil = Math.max(until, this.#reportedUntil);
  }

  /**
   * Returns the error of an input stopped by a cooldown: the platform's refusal, as recorded by this batch or the
   * process that met it.
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
    // Never longer than the pause itself, in case a clock without `elapsed` was set back.
    return Math.min(this.#until - elapsed(this.#clock), this.#pauseMs);
  }
}
