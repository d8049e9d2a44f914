import type { Coverage } from '../call/coverage.js';
import type { ItemSource } from '../read/item-source.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { parseErrorResponse } from './parse-error-response.js';

/** A response, read. */
export interface ServerResponse {
  readonly status: number;
  readonly text: string;
  /** Seconds of `Retry-After`; null where the server named none. */
  readonly retryAfter: number | null;
}

/** The parsed body of a success of the API. */
export interface ApiResponse {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Where the items of an answer stand; there if `sources` was asked for. */
  readonly sources?: readonly ItemSource[];
  /** How much it holds of what was asked for; there with `sources`. */
  readonly coverage?: Coverage;
}

/** The server of a call. */
export interface ApiServer {
  readonly origin: string;
  /** Where the documentation of an error is that the server did not word. */
  readonly docsBase?: string | undefined;
  readonly clock: Clock;
}

/** Seconds that a call waits after rate limits (429), over all its tries. */
const maxRateLimitWaitSeconds = 180;

function parseSuccess(text: string, { origin, docsBase }: ApiServer): ApiResponse {
  try {
    const body = JSON.parse(text) as Partial<ApiResponse> | null;
    if (body?.data !== undefined && typeof body.meta === 'object' && body.meta !== null)
      return body as ApiResponse;
  } catch {
    // Falls through: text that is not JSON does not come from the API.
  }
  throw parseErrorResponse(200, '', null, origin, docsBase);
}

/**
 * One call of the API. While the server answers 429 the call is sent again after `Retry-After`, up to three minutes.
 * No other answer is asked for again, as a call that was cut off may have been charged. Throws the server's error,
 * what `send` throws, and the signal's reason.
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
