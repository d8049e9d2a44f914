import { ExtractError } from '../errors/extract-error.js';
import type { Clock } from '../runtime/clock.js';

type Refusal = 'platform_blocked' | 'platform_rate_limited';

const maxCooldownMs = 15 * 60_000;
const maxRetryAfterMs = 24 * 3_600_000;

/** True for the errors that start a cool-down. */
export function isRefusal(error: unknown): error is ExtractError & { code: Refusal } {
  return (
    error instanceof ExtractError &&
    (error.code === 'platform_blocked' || error.code === 'platform_rate_limited')
  );
}

/** The last refusal of a platform again, while it is left alone. */
class CooldownRefusal extends ExtractError {
  /** True where the platform named the time. */
  readonly wasNamed: boolean;

  constructor(code: Refusal, message: string, seconds: number, wasNamed: boolean) {
    super(code, message, { retryAfter: seconds });
    this.wasNamed = wasNamed;
  }
}

/** True where the platform itself asked to be left alone for a time, in this answer or in the one before the pause. */
export function asksToWait(error: ExtractError): boolean {
  if (error.code !== 'platform_rate_limited') return false;
  return error instanceof CooldownRefusal ? error.wasNamed : error.retryAfter !== undefined;
}

/**
 * The pause after a platform's refusal: as long as the platform asked for, else `firstMs`. It doubles with
 * each further refusal, up to a quarter of an hour, and lasts no longer than the process.
 */
export class Cooldown {
  readonly #platform: string;
  readonly #firstMs: number;
  readonly #clock: Clock;
  #refusals = 0;
  #last:
    | { readonly code: Refusal; readonly at: number; readonly until: number; readonly wasNamed: boolean }
    | undefined;

  /** `firstMs` 0: no pause, ever. */
  constructor(platform: string, firstMs: number, clock: Clock) {
    this.#platform = platform;
    this.#firstMs = firstMs;
    this.#clock = clock;
  }

  /** Throws the last refusal again during the pause. */
  check(): void {
    const left = this.#left();
    if (this.#last === undefined || left <= 0) return;
    const seconds = Math.ceil(left / 1000);
    const at = `${new Date(this.#last.at).toISOString().slice(0, 19)}Z`;
    throw new CooldownRefusal(
      this.#last.code,
      `${this.#platform} refused at ${at} and is asked again in ${seconds} s; nothing was asked now.`,
      seconds,
      this.#last.wasNamed,
    );
  }

  /** The platform refused. Refusals of requests that were on their way together count as one. */
  recordRefusal(code: Refusal, retryAfter: number | undefined): void {
    if (this.#firstMs === 0) return;
    const now = this.#clock.now();
    const first = Math.min(retryAfter ? retryAfter * 1000 : this.#firstMs, maxRetryAfterMs);
    if (this.#left() <= 0) this.#refusals += 1;
    const rest = Math.min(first * 2 ** (this.#refusals - 1), Math.max(first, maxCooldownMs));
    const until = Math.max(now + rest, this.#last?.until ?? 0);
    this.#last = { code, at: now, until, wasNamed: retryAfter !== undefined };
  }

  /**
   * The platform answered a session that began at `began`. One that was on its way when the platform refused
   * proves nothing about the present, and does not end the pause.
   */
  recordAnswer(began: number): void {
    if (this.#last !== undefined && began < this.#last.at) return;
    this.#refusals = 0;
    this.#last = undefined;
  }

  #left(): number {
    if (this.#last === undefined) return 0;
    // A clock that was set back must not lengthen the pause.
    const { at, until } = this.#last;
    return Math.min(until - this.#clock.now(), until - at);
  }
}
