import { detailsWithin, docsBaseOf, type ErrorDetails, ExtractError } from '../errors/extract-error.js';
import type { Refusal } from './cooldown-state.js';

/** True for the errors that start a cooldown. */
export function isRefusal(error: unknown): error is ExtractError & { code: Refusal } {
  return (
    error instanceof ExtractError &&
    (error.code === 'platform_blocked' || error.code === 'platform_rate_limited')
  );
}

/** Repeats the last refusal of a platform during its cooldown. */
export class CooldownRefusal extends ExtractError {
  /** The error code of the original refusal. */
  readonly refusal: Refusal;
  /** Who refused, when, and when requests resume: a clause without a full stop. */
  readonly clause: string;
  /** What the platform did at its first and last refusal, if known. */
  readonly causes: readonly string[];

  constructor(
    code: Refusal,
    clause: string,
    causes: readonly string[],
    seconds: number,
    details: ErrorDetails = {},
  ) {
    super(code, `${causes.join(' Then: ')} ${clause}; no request was made.`.trim(), {
      ...details,
      retryAfter: seconds,
    });
    this.refusal = code;
    this.clause = clause;
    this.causes = causes;
  }

  override again(message: string, details: ErrorDetails): CooldownRefusal {
    const { refusal, clause, causes, retryAfter = 0 } = this;
    const same = new CooldownRefusal(refusal, clause, causes, retryAfter, details);
    same.message = message;
    return same;
  }

  /** The same in one string; "" if unknown. */
  get causeText(): string {
    return this.causes.join(' Then: ');
  }

  /** Returns the original refusal as an error; null if unknown. */
  origin(): ExtractError | null {
    if (this.causes.length === 0) return null;
    const { next: _, ...details } = detailsWithin(this, this.requestId, docsBaseOf(this));
    return new ExtractError(this.code, this.causeText, details);
  }
}
