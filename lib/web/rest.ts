/** The errors by which a platform refuses. */
export type Refusal = 'platform_blocked' | 'platform_rate_limited';

/** A platform's last refusal, and how long it is left alone for it. Times are milliseconds since 1970. */
export interface Rest {
  readonly code: Refusal;
  readonly refusedAt: number;
  readonly until: number;
  /** Refusals since the last answer. The rest may be over: the next one doubles it all the same. */
  readonly refusals: number;
}

/** The longest rest where the platform names no time. */
export const maxCooldownMs = 15 * 60_000;
/** The longest rest that a platform's `Retry-After` is believed. */
const maxRetryAfterMs = 24 * 3_600_000;
/** How far ahead of the clock a moment of the past may lie: clocks are corrected by less all the time. */
export const clockToleranceMs = 1000;

/**
 * The rest as the clock has it now. Where the clock was set back since the refusal, the rest begins anew: nobody knows
 * how much of it has passed. Null for one that is longer than any can be.
 */
export function believedRest(rest: Rest, now: number): Rest | null {
  const length = rest.until - rest.refusedAt;
  if (!(length >= 0 && length <= maxRetryAfterMs)) return null;
  return rest.refusedAt <= now + clockToleranceMs ? rest : { ...rest, refusedAt: now, until: now + length };
}

/** Milliseconds that are left of a rest; 0 when it is over. */
export function restLeft(rest: Rest | null, now: number): number {
  return rest === null ? 0 : Math.max(0, rest.until - now);
}

/** How a platform refused. */
export interface RefusalOf {
  readonly code: Refusal;
  /** Seconds that it asked for. */
  readonly retryAfter: number | undefined;
  /** Milliseconds of the first rest where it asked for none. */
  readonly firstMs: number;
}

/**
 * The rest after one more refusal: as long as the platform asked for, doubled for each refusal since the last answer.
 * A refusal during a rest is of a request that was on its way with the one refused before: both count as one.
 */
export function nextRest(before: Rest | null, { code, retryAfter, firstMs }: RefusalOf, now: number): Rest {
  const first = Math.min(retryAfter ? retryAfter * 1000 : firstMs, maxRetryAfterMs);
  const resting = restLeft(before, now) > 0;
  const refusals = (before?.refusals ?? 0) + (resting ? 0 : 1);
  const length = Math.min(first * 2 ** (refusals - 1), Math.max(first, maxCooldownMs));
  return { code, refusedAt: now, until: Math.max(now + length, before?.until ?? 0), refusals };
}
