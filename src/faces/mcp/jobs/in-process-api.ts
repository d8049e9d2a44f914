import type { FastifyInstance, InjectOptions } from 'fastify';
import type { ApiResponse } from '../../../../lib/remote/call-api.js';
import { parseErrorResponse } from '../../../../lib/remote/parse-error-response.js';
import { retryAfterSeconds } from '../../../../lib/web/headers.js';
import type { RequestIdentity } from '../../../service/limits/access.js';
import type { ServerApi } from './server-api.js';

const pieceBytes = 1024 * 1024;

/**
 * The API of the server that hosts the tools, called in process: its routes check the key and its limits, count the
 * request and word the errors. A rate limit is returned immediately, because the assistant is waiting.
 */
export function inProcessApi(
  app: FastifyInstance,
  { headers: { authorization = '' }, ip }: RequestIdentity,
): ServerApi {
  async function send(path: string, { headers, ...request }: InjectOptions, signal: AbortSignal) {
    signal.throwIfAborted();
    const answer = await app.inject({
      ...request,
      url: `/v1/${path}`,
      headers: { ...headers, authorization, accept: 'application/json' },
      remoteAddress: ip,
    });
    signal.throwIfAborted();
    return answer;
  }

  type Answer = Awaited<ReturnType<typeof send>>;

  function fault({ statusCode, payload, headers }: Answer) {
    const wait = headers['retry-after'];
    const seconds = retryAfterSeconds(wait === undefined ? undefined : String(wait), Date.now());
    return parseErrorResponse(statusCode, payload, seconds, 'The server');
  }

  function parsed(answer: Answer): ApiResponse {
    if (answer.statusCode >= 300) throw fault(answer);
    return answer.json();
  }

  async function* pieces(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal) {
    for (let from = 0; ; from += pieceBytes) {
      const range = `bytes=${from}-${from + pieceBytes - 1}`;
      const answer = await send(path, { query: { ...query }, headers: { range } }, signal);
      // Nothing there: no line yet, or none after the last chunk.
      if (answer.statusCode === 416) return;
      if (answer.statusCode >= 300) throw fault(answer);
      yield answer.rawPayload;
      if (answer.statusCode !== 206 || answer.rawPayload.length < pieceBytes) return;
    }
  }

  return {
    get: async (path, query, signal) => parsed(await send(path, { query: { ...query } }, signal)),
    async post(path, { body, headers }, signal) {
      const json = { ...headers, 'content-type': 'application/json' };
      return parsed(await send(path, { method: 'POST', payload: body, headers: json }, signal));
    },
    open: async (path, query, signal) => pieces(path, query, signal),
  };
}
