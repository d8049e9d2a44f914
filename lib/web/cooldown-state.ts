/** The errors by which a platform refuses. */
export type Refusal = 'platform_blocked' | 'platform_rate_limited';

/** A platform's last refusal, and how long it is left alone for it. Times are milliseconds since 1970. */
export interface CooldownState {
  readonly code: Refusal;
  readonly refusedAt: number;
  readonly until: number;
  /** Refusals since the last answer. The cool-down may be over: the next one doubles it all the same. */
  readonly refusals: number;
}

/** A platform's last refusal as stores keep it. `code` is null without one. */
export interface CooldownRow {
  readonly platform: string;
  readonly next_at: number;
  readonly code: Refusal | null;
  readonly refused_at: number;
  readonly rests_until: number;
  readonly refusals: number;
}

/** The refusal of a row; null without one. */
export const cooldownOf = (row: CooldownRow): CooldownState | null =>
  row.code === null
    ? null
    : { code: row.code, refusedAt: row.refused_at, until: row.rests_until, refusals: row.refusals };

/** The longest cool-down where the platform names no time. */
export const maxCooldownMs = 15 * 60_000;
/** The longest cool-down that a platform's `Retry-After` is believed. */
const maxRetryAfterMs = 24 * 3_600_000;
/** How far ahead of the clock a past moment may lie. Clocks are corrected by less all the time. */
export const clockToleranceMs = 1000;

/**
 * The cool-down as the clock has it now. Where the clock was set back since the refusal, it begins anew: nobody knows how
 * much of it has passed. Null for one that is longer than any can be.
 */
export function believedCooldown(state: CooldownState, now: number): CooldownState | null {
  const length = state.until - state.refusedAt;
  if (!(length >= 0 && length <= maxRetryAfterMs)) return null;
  return state.refusedAt <= now + clockToleranceMs
    ? state
    : { ...state, refusedAt: now, until: now + length };
}

/** Milliseconds that are left of a cool-down; 0 when it is over. */
export function cooldownLeft(state: CooldownState | null, now: number): number {
  return state === null ? 0 : Math.max(0, state.until - now);
}

/** How a platform refused. */
export interface RefusalDetails {
  readonly code: Refusal;
  /** Seconds that it asked for. */
  readonly retryAfter: number | undefined;
  /** Milliseconds of the first cool-down where it asked for none. */
  readonly firstMs: number;
}

/**
 * The cool-down after one more refusal. It is as long as the platform requested, doubled for each refusal since the
 * last answer. A refusal during a cool-down is of a request that was on its way with the one refused before. Both count
 * as one.
 */
export function nextCooldown(
  before: CooldownState | null,
  { code, retryAfter, firstMs }: RefusalDetails,
  now: number,
): CooldownState {
  const first = Math.min(retryAfter ? retryAfter * 1000 : firstMs, maxRetryAfterMs);
  const isCooling = cooldownLeft(before, now) > 0;
  const refusals = (before?.refusals ?? 0) + (isCooling ? 0 : 1);
  const length = Math.min(first * 2 ** (refusals - 1), Math.max(first, maxCooldownMs));
  return { code, refusedAt: now, until: Math.max(now + length, before?.until ?? 0), refusals };
}
