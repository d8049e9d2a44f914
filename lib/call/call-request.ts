import type { Endpoint } from '../endpoint.js';
import { parseParams } from '../params/parse.js';
import type { Json } from '../read/json.js';
import { digest, firstPosition, type ListPosition } from './cursor.js';
import { identify } from './misplaced-url.js';

type Identity = Readonly<Record<string, Json>>;

/**
 * The request of a call: its parameters, checked and reduced. The same whoever asks and whenever, so a server may
 * keep it and spare equal calls the work.
 */
export interface CallRequest {
  readonly endpoint: Endpoint;
  readonly identity: Identity;
  /** The parameters as they were checked: an address says more than what it is reduced to. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly limit: number;
  /** The cursor as it was passed; null for the first page. */
  readonly cursor: string | null;
  readonly fresh: boolean;
  readonly demo: boolean;
  /** Whether the answer is to say where its items stand. */
  readonly sources: boolean;
  /** The key of its first page in the cache. */
  readonly firstKey: string;
}

/** True when parameters, not yet checked, ask for sample data. */
export function asksForSample({ demo }: Readonly<Record<string, unknown>>, texts = false): boolean {
  return demo === true || (texts && demo === 'true');
}

/** Under which the cache keeps one page of an answer. */
export function cacheKey(
  { path }: Endpoint,
  identity: Identity,
  limit: number,
  { position, seen }: ListPosition,
): string {
  return digest([path, identity, limit, position, [...seen]]);
}

/**
 * Checks and reduces the parameters of a call; `texts`: values come as text. Throws the
 * `invalid_request` errors.
 */
export function parseCallRequest(
  endpoint: Endpoint,
  raw: Readonly<Record<string, unknown>>,
  texts = false,
): CallRequest {
  const params = parseParams(endpoint, raw, texts);
  const identity = identify(endpoint, params);
  const limit = typeof params.limit === 'number' ? params.limit : 1;
  let firstKey: string | undefined;
  return {
    endpoint,
    identity,
    given: params,
    limit,
    cursor: typeof params.cursor === 'string' ? params.cursor : null,
    fresh: params.fresh === true,
    demo: params.demo === true,
    sources: params.sources === true,
    // Samples and further pages do without it.
    get firstKey() {
      firstKey ??= cacheKey(endpoint, identity, limit, firstPosition);
      return firstKey;
    },
  };
}
