import { proxyErrorOf } from './proxy-pool.js';

/** Maximum number of retries of one request. */
const maxRetries = 2;

/** Longest `Retry-After` that a call waits for, in seconds; a longer one is reported to the caller. */
const maxRetryAfterSeconds = 5;

const firstDelayMs = 300;

const faultsOfTheServer: ReadonlySet<number> = new Set([502, 503, 504]);

/** How a try ended: by an answer, or by a fault of the connection. */
export type Outcome =
  | { readonly status: number; readonly retryAfter: number | null }
  | { readonly isConnectionError: boolean };

/**
 * Milliseconds to wait before the next try, or null where there must be none. Only a GET is repeated, and only after
 * a fault that may pass by itself. The connection's, or a server's that is busy. A request that a platform refuses
 * (401, 403, 429, a challenge) is never sent again. `retries` counts those already made; `random` gives 0 ≤ x < 1, so
 * that callers do not come back as one.
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
  if (!faultsOfTheServer.has(outcome.status)) return null;
  if (outcome.retryAfter === null) return backoff;
  return outcome.retryAfter > maxRetryAfterSeconds ? null : Math.max(outcome.retryAfter * 1000, backoff);
}

/** The same for a tunnel that a proxy did not make: whatever the request, none of it was sent. */
export function tunnelRetryDelay(cause: unknown, retries: number, random: () => number): number | null {
  const isConnectionError = proxyErrorOf(cause)?.isPassing === true;
  return retryDelay('GET', retries, { isConnectionError }, random);
}
