import type { ApiResponse } from '../../../../lib/remote/call-api.js';

/** The port to a server's API, with the caller's key, for creating and reading jobs. */
export interface ServerApi {
  /** Throws the errors of the API. */
  get(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ApiResponse>;
  /** Like `get`, for a call that changes something; `body` is JSON text. */
  post(
    path: string,
    request: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<ApiResponse>;
  /** Opens a long response, of which the reader consumes as much as it needs. */
  open(
    path: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
}

/** Returns the path of a job or schedule, escaping the ID. */
export const pathOf = (kind: 'jobs' | 'schedules', id: string, rest = '') =>
  `${kind}/${encodeURIComponent(id)}${rest}`;
