import { proxyErrorOf } from './proxy-pool.js';

const maxRetries = 2;

/** Longest `Retry-After` that a call waits for, in seconds; a longer one is reported to the caller. */
const maxRetryAfterSeconds = 5;

const firstDelayMs = 300;

const serverFaults: ReadonlySet<number> = new Set([500, 502, 503, 504]);

export type Outcome =
  | { readonly status: number; readonly retryAfter: number | null }
  | { readonly isConnectionError: boolean };

/**
 * Returns the milliseconds to wait before the next attempt; null if there must be none. Only a GET is retried, and only
 * after a possibly transient failure of the connection or the server. A request that a platform refuses (401, 403, 429,
 * a challenge) is never retried. `retries` counts those already made; `random` returns 0 ≤ x < 1, so that callers do
 * not return in lockstep.
 */
export function retryDelay(
  method: string,
  retries: number,
  outcome: Outcome,
  random: () => number,
): number | null {
  if (method !== 'GET' || retries >= maxRetries) return null;
  const backoff = firstDelayMs * 2 ** retries * (0.5 + random() / 2);
  if ('isConnectionError' in outcome) return outcome.isConnectionError ? backoff : null;
  if (!serverFaults.has(outcome.status)) return null;
  if (outcome.retryAfter === null) return backoff;
  return outcome.retryAfter > maxRetryAfterSeconds ? null : Math.max(outcome.retryAfter * 1000, backoff);
}

/**
 * The same for a tunnel that a proxy failed to open, before anything of the request was sent. Any method is retried.
 */
export function tunnelRetryDelay(cause: unknown, retries: number, random: () => number): number | null {
  const isConnectionError = proxyErrorOf(cause)?.isPassing === true;
  return retryDelay('GET', retries, { isConnectionError }, random);
}
