import type { Coverage } from '../call/coverage.js';
import type { ItemSource } from '../read/item-source.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { parseErrorResponse } from './parse-error-response.js';

export interface ServerResponse {
  readonly status: number;
  readonly text: string;
  /** Seconds of `Retry-After`; null without it. */
  readonly retryAfter: number | null;
}

/** The parsed body of a successful response. */
export interface ApiResponse {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Present if `sources` was requested. */
  readonly sources?: readonly ItemSource[];
  /** How much of the request it holds. Present together with `sources`. */
  readonly coverage?: Coverage;
}

/** The server of a call. */
export interface ApiServer {
  readonly origin: string;
  /** Where an error without the server's own text is documented. */
  readonly docsBase?: string | undefined;
  readonly clock: Clock;
}

/** Maximum seconds that a call waits for rate limits (429), over all its attempts. */
const maxRateLimitWaitSeconds = 180;

function parseSuccess(text: string, { origin, docsBase }: ApiServer): ApiResponse {
  try {
    const body = JSON.parse(text) as Partial<ApiResponse> | null;
    if (body?.data !== undefined && typeof body.meta === 'object' && body.meta !== null)
      return body as ApiResponse;
  } catch {
    // Text that is not JSON does not come from the API.
  }
  throw parseErrorResponse(200, '', null, origin, docsBase);
}

/**
 * Makes one call of the API. While the server answers 429, repeats it after `Retry-After`, for up to three minutes.
 * Nothing else is retried, because an interrupted call may have been charged. Throws the server's error, the error of
 * `send`, and the signal's reason.
 */
export async function callApi(
  send: () => Promise<ServerResponse>,
  server: ApiServer,
  signal: CallSignal | undefined,
): Promise<ApiResponse> {
  for (let waited = 0; ; ) {
    const { status, text, retryAfter } = await send();
    if (status >= 200 && status < 300) return parseSuccess(text, server);
    const seconds = Math.max(1, retryAfter ?? 1);
    if (status !== 429 || waited + seconds > maxRateLimitWaitSeconds) {
      throw parseErrorResponse(status, text, retryAfter, server.origin, server.docsBase);
    }
    await server.clock.sleep(seconds * 1000, signal);
    waited += seconds;
  }
}
