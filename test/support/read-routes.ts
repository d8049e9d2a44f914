import { firstPosition } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { parseParams } from '../../lib/params/parse.js';
import type { Json } from '../../lib/read/json.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { type Route, routeSource } from '../../lib/web/routes.js';
import { stoppedClock } from './cases.js';

interface Options {
  /** The position in a list; null for its beginning. */
  readonly position?: Json;
  readonly limit?: number;
  /** Replacements of a platform's documents by the operator. */
  readonly overrides?: object | null;
}

/** Reads one page of an endpoint from these routes or pages, without the network. */
export async function readRoutes<Data = unknown[]>(
  endpoint: unknown,
  params: object,
  pages: readonly Route[] | PageSource,
  { position = null, limit, ...more }: Options = {},
) {
  const row = endpoint as Endpoint;
  const request = {
    endpoint: row,
    identity: row.identify(parseParams(row, { ...params })),
    position: { ...firstPosition, position },
    limit: limit ?? row.page?.max ?? 1,
    ...(more as object),
  };
  const source = 'open' in pages ? pages : routeSource('.', pages);
  const { answer, seconds } = await fetchAnswer(request, source, stoppedClock);
  return { ...answer, data: JSON.parse(answer.data) as Data, seconds, ended: answer.coverage?.ended };
}
