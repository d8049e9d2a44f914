/** Tries of one request beyond the first. */
const mostRetries = 2;

/** The longest `Retry-After` that is waited for inside a call, in seconds; a longer one is the caller's. */
const longestWait = 5;

const firstDelayMs = 300;

const faultsOfTheServer: ReadonlySet<number> = new Set([502, 503, 504]);

/** How a try ended: by an answer, or by a fault of the connection. */
export type Outcome =
  | { readonly status: number; readonly retryAfter: number | null }
  | { readonly connectionFault: boolean };

/**
 * Milliseconds to wait before the next try, or null where there must be none. Only a GET is repeated, and
 * only after a fault that may pass by itself: the connection's, or a server's that is busy. What a platform
 * refuses (401, 403, 429, a challenge) is never asked again.
 * `retries` counts those already made; `random` gives 0 ≤ x < 1, so that callers do not come back as one.
 */
export function retryDelay(
  method: string,
  retries: number,
  outcome: Outcome,
  random: () => number,
): number | null {
  if (method !== 'GET' || retries >= mostRetries) return null;
  const backoff = firstDelayMs * 2 ** retries * (0.5 + random() / 2);
  if ('connectionFault' in outcome) return outcome.connectionFault ? backoff : null;
  if (!faultsOfTheServer.has(outcome.status)) return null;
  if (outcome.retryAfter === null) return backoff;
  return outcome.retryAfter > longestWait ? null : Math.max(outcome.retryAfter * 1000, backoff);
}
