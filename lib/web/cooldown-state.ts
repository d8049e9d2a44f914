export type Refusal = 'platform_blocked' | 'platform_rate_limited';

/** A platform's last refusal and the cooldown after it. Times are milliseconds since 1970. */
export interface CooldownState {
  readonly code: Refusal;
  readonly refusedAt: number;
  readonly until: number;
  /** Refusals since the last answer. The next refusal doubles the cooldown even if this one is over. */
  readonly refusals: number;
  /** What the platform did at the first refusal and, if different, at the last. */
  readonly causes: readonly string[];
}

/** A platform's row in a store. `code` is null without a refusal. `causes` and `error_routes` are JSON arrays. */
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

/** Parses a list of strings; empty for a damaged row. */
export function textsOf(json: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Null without a refusal. */
export function cooldownOf(row: CooldownRow): CooldownState | null {
  if (row.code === null) return null;
  const { code, refused_at: refusedAt, rests_until: until, refusals } = row;
  return { code, refusedAt, until, refusals, causes: textsOf(row.causes) };
}

/** The longest cooldown of a surface if the platform specifies none. */
export const maxCooldownMs = 15 * 60_000;
/** The longest cooldown after refusals of the address, which start at an hour. */
const maxAddressCooldownMs = 8 * 3_600_000;
/** The longest `Retry-After` that is honoured. */
const maxRetryAfterMs = 24 * 3_600_000;
/** How far in the future a past timestamp may lie; clocks are routinely corrected by less. */
export const clockToleranceMs = 1000;

/**
 * Returns the cooldown by the current clock. If the clock was set back since the refusal, the cooldown restarts,
 * because the elapsed time is unknown. Null if it is longer than possible.
 */
export function believedCooldown(state: CooldownState, now: number): CooldownState | null {
  const length = state.until - state.refusedAt;
  if (!(length >= 0 && length <= maxRetryAfterMs)) return null;
  return state.refusedAt <= now + clockToleranceMs
    ? state
    : { ...state, refusedAt: now, until: now + length };
}

/** Milliseconds left of a cooldown; 0 when it is over. */
export function cooldownLeft(state: CooldownState | null, now: number): number {
  return state === null ? 0 : Math.max(0, state.until - now);
}

export interface RefusalDetails {
  readonly code: Refusal;
  /** Seconds requested by the platform. */
  readonly retryAfter: number | undefined;
  /** Milliseconds of the first cooldown if the platform requested none. */
  readonly firstMs: number;
  /** What the platform did, without details of the request, because other callers see it. */
  readonly cause?: string | undefined;
}

/**
 * Returns the cooldown after one more refusal: as long as the platform requested, doubled for each refusal since the
 * last answer. A refusal during a cooldown is for a request that was already in flight, so both count as one.
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
