import { detailsWithin, docsBaseOf, ExtractError } from '../errors/extract-error.js';
import type { CallSignal } from '../runtime/abort.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import { CooldownRefusal } from '../web/cooldown.js';

/** The policy of a batch when the platform refuses: wait until it answers, stop, or let the inputs fail. */
export type OnRefusal = 'wait' | 'stop' | 'fail';

/** A cool-down that is waited for. */
export interface BackoffPeriod {
  readonly error: ExtractError;
  /** When the next call is made, in milliseconds since 1970. */
  readonly until: number;
}

/** The cool-down where neither the platform nor a setting names one. */
const defaultPeriodMs = 60_000;
/** The longest pause where the platform asks for none that is longer. */
const maxPeriodMs = 3_600_000;
/** Milliseconds that a platform is waited for without an answer, where nothing else is said. */
const defaultWaitMs = 15 * 60_000;

/** Two pauses that end within so many milliseconds are told as one. */
const toldWithinMs = 1000;

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
  /** The last refusal that the platform gave, and not a cool-down in its place. */
  #cause: ExtractError | undefined;
  #inRow = 0;
  #answers = 0;
  /** True after a refusal that no answer followed. */
  #isRefused = false;
  /** The end of the pause that was told last. */
  #told = 0;

  /**
   * `firstMs` is the cool-down that the web door gives where the platform names none. `onBackoff` is called for each pause
   * that begins. A platform that refuses for `waitAtMostMs`, with no answer in between, is given up.
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

  /** Answers so far: a refusal that no answer follows says nothing of the one input that met it. */
  get answers(): number {
    return this.#answers;
  }

  /** Resolves when the platform may be called; rejects when the signal is aborted first. */
  async wait(signal: CallSignal): Promise<void> {
    for (let remainingMs = this.#left(); remainingMs > 0; remainingMs = this.#left())
      await this.#clock.sleep(remainingMs, signal);
  }

  /** Resolves after so many milliseconds; rejects when the signal is aborted first. */
  async pause(ms: number, signal: CallSignal): Promise<void> {
    if (ms > 0) await this.#clock.sleep(ms, signal);
  }

  /** The platform answered. */
  recordAnswer(): void {
    this.#inRow = 0;
    this.#isRefused = false;
    this.#answers += 1;
  }

  /**
   * The platform refused. Returns the milliseconds after which the input is to be tried again, which it waits by itself: 0
   * where all inputs wait (`wait`), null where it is not tried again. Throws the refusal when the batch is to stop. The
   * first page that is blocked since an answer may be that input's alone, and holds up no other.
   */
  recordRefusal(error: ExtractError): number | null {
    const isRemembered = error instanceof CooldownRefusal;
    if (!isRemembered) this.#cause = error;
    if (this.#onRefusal === 'fail') return null;
    if (this.#onRefusal === 'stop') throw error;
    const isNamed = !isRemembered && error.retryAfter !== undefined;
    const isAlone = !this.#isRefused && error.code === 'platform_blocked' && !error.ofAddress && !isNamed;
    this.#isRefused = true;
    if (isAlone) {
      const ms = error.retryAfter === undefined ? this.#firstMs : error.retryAfter * 1000;
      this.#tell(error, ms);
      return ms;
    }
    const now = elapsed(this.#clock);
    // A request that was on its way when the platform refused is part of the same refusal.
    const begins = this.#left() <= 0;
    if (begins) this.#inRow += 1;
    const askedMs = error.retryAfter === undefined ? this.#firstMs : error.retryAfter * 1000;
    if (this.#inRow === 1 && begins) {
      this.#since = now;
      this.#baseMs = askedMs;
    }
    const leftMs = this.#since + this.#waitAtMostMs - now;
    if (leftMs <= 0 || askedMs > leftMs) throw error;
    const grownMs = Math.min(this.#baseMs * 2 ** (this.#inRow - 1), maxPeriodMs, leftMs);
    const ms = Math.max(askedMs, grownMs);
    if (now + ms > this.#until) {
      this.#until = now + ms;
      this.#pauseMs = ms;
      if (begins) this.#tell(error, ms);
    }
    return 0;
  }

  /** Tells of a pause, unless one that ends with it was told. */
  #tell(error: ExtractError, ms: number): void {
    const until = this.#clock.now() + ms;
    if (until - this.#told >= toldWithinMs) this.#onBackoff({ error, until });
    this.#told = Math.max(until, this.#told);
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
    // Never longer than the pause itself, should a clock without `elapsed` have been set back.
    return Math.min(this.#until - elapsed(this.#clock), this.#pauseMs);
  }
}
