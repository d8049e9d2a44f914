import type { Endpoint } from '../endpoint.js';
import { parseParams } from '../params/parse.js';
import type { Json } from '../read/json.js';
import { digest, firstPosition, type ListPosition } from './cursor.js';
import { identify } from './misplaced-url.js';

type Identity = Readonly<Record<string, Json>>;

/**
 * A call's parameters, checked and normalised. Independent of caller and time, so a server may cache it for equal
 * calls.
 */
export interface CallRequest {
  readonly endpoint: Endpoint;
  readonly identity: Identity;
  /** The parameters as checked. An address says more than its normalised form. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly limit: number;
  /** The cursor as passed; null for the first page. */
  readonly cursor: string | null;
  readonly fresh: boolean;
  readonly demo: boolean;
  /** True if the answer includes the sources of its items. */
  readonly sources: boolean;
  /** The cache key of its first page. */
  readonly firstKey: string;
}

/** Returns true if unchecked parameters request sample data. */
export function asksForSample({ demo }: Readonly<Record<string, unknown>>, texts = false): boolean {
  return demo === true || (texts && demo === 'true');
}

/** Returns the cache key of one page. */
export function cacheKey(
  { path }: Endpoint,
  identity: Identity,
  limit: number,
  { position, seen }: ListPosition,
): string {
  return digest([path, identity, limit, position, [...seen]]);
}

/**
 * Checks and normalises a call's parameters. With `texts`, values arrive as text. Throws the `invalid_request` errors.
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
    params,
    limit,
    cursor: typeof params.cursor === 'string' ? params.cursor : null,
    fresh: params.fresh === true,
    demo: params.demo === true,
    sources: params.sources === true,
    // Lazy: samples and later pages do not need it.
    get firstKey() {
      firstKey ??= cacheKey(endpoint, identity, limit, firstPosition);
      return firstKey;
    },
  };
}
