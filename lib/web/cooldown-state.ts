/** The errors by which a platform refuses. */
export type Refusal = 'platform_blocked' | 'platform_rate_limited';

/** A platform's last refusal, and how long it is left alone for it. Times are milliseconds since 1970. */
export interface CooldownState {
  readonly code: Refusal;
  readonly refusedAt: number;
  readonly until: number;
  /** Refusals since the last answer. The cool-down may be over: the next one doubles it all the same. */
  readonly refusals: number;
  /** The platform's action at the first of them and, where it differs, at the last. */
  readonly causes: readonly string[];
}

/** A platform as stores keep it. `code` is null without a refusal. `causes` and `error_routes` are lists in JSON. */
export interface CooldownRow {
  readonly platform: string;
  readonly next_at: number;
  readonly code: Refusal | null;
  readonly refused_at: number;
  readonly rests_until: number;
  readonly refusals: number;
  readonly causes: string;
  readonly error_routes: string;
}

/** A list of texts as rows keep it; an empty one where the row was damaged. */
export function textsOf(json: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** The refusal of a row; null without one. */
export function cooldownOf(row: CooldownRow): CooldownState | null {
  if (row.code === null) return null;
  const { code, refused_at: refusedAt, rests_until: until, refusals } = row;
  return { code, refusedAt, until, refusals, causes: textsOf(row.causes) };
}

/** The longest cool-down of a surface if the platform names no time. */
export const maxCooldownMs = 15 * 60_000;
/** The longest one after refusals of the address, which begin at an hour. */
const maxAddressCooldownMs = 8 * 3_600_000;
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
  /** The platform's action, in words that do not name the request: other callers read them. */
  readonly cause?: string | undefined;
}

/**
 * The cool-down after one more refusal. It is as long as the platform requested, doubled for each refusal since the
 * last answer. A refusal during a cool-down is of a request that was on its way with the one refused before. Both count
 * as one.
 */
export function nextCooldown(
  before: CooldownState | null,
  { code, retryAfter, firstMs, cause }: RefusalDetails,
  now: number,
): CooldownState {
  const first = Math.min(retryAfter ? retryAfter * 1000 : firstMs, maxRetryAfterMs);
  const isCooling = cooldownLeft(before, now) > 0;
  const refusals = (before?.refusals ?? 0) + (isCooling ? 0 : 1);
  const most = first < firstMs || firstMs <= maxCooldownMs ? maxCooldownMs : maxAddressCooldownMs;
  const length = Math.min(first * 2 ** (refusals - 1), Math.max(first, most));
  const until = Math.max(now + length, before?.until ?? 0);
  const [firstCause = cause] = before?.causes ?? [];
  const causes = [...new Set([firstCause, cause])].filter((one) => one !== undefined);
  return { code, refusedAt: now, until, refusals, causes };
}
