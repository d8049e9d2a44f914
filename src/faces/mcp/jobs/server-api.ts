import type { ApiResponse } from '../../../../lib/remote/call-api.js';

/** The port to the API of a server, under the key of the caller: what jobs are made and read by. */
export interface ServerApi {
  /** Throws the errors of the API. */
  get(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ApiResponse>;
  /** The same for a call that changes something; `body` is JSON text. */
  post(
    path: string,
    request: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<ApiResponse>;
  /** The bytes of a long answer, of which its reader takes as many as it needs. */
  open(
    path: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
}

/** The path of a job or schedule, whatever stands in its ID. */
export const pathOf = (kind: 'jobs' | 'schedules', id: string, rest = '') =>
  `${kind}/${encodeURIComponent(id)}${rest}`;
