import { hash } from 'node:crypto';
import { type Place, start } from './cursor.js';
import type { Endpoint } from './endpoint.js';
import { parseParams } from './params/parse.js';
import { canonicalJson, type Json } from './read/json.js';

type Identity = Readonly<Record<string, Json>>;

/**
 * What a call asks for: its parameters, checked and reduced. The same whoever asks and whenever, so a server may
 * keep it and spare equal calls the work.
 */
export interface Asked {
  readonly endpoint: Endpoint;
  readonly identity: Identity;
  readonly limit: number;
  /** The cursor as it was passed; null for the first page. */
  readonly cursor: string | null;
  readonly fresh: boolean;
  readonly demo: boolean;
  /** Under which the cache keeps its first page. */
  readonly firstKey: string;
}

function digest(value: Json): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}

/** What the cursors of a listing are bound to: a cursor of another endpoint, question or of the demo is foreign. */
export function bindingOf({ path }: Endpoint, identity: Identity, demo: boolean): string {
  return digest([path, identity, demo]);
}

/** Under which the cache keeps one page of an answer. */
export function cacheKey({ path }: Endpoint, identity: Identity, limit: number, place: Place): string {
  return digest([path, identity, limit, place.position, [...place.seen]]);
}

/**
 * Checks and reduces the parameters of a call; `texts` tells that values come as text. Throws the
 * `invalid_request` errors.
 */
export function asked(endpoint: Endpoint, raw: Readonly<Record<string, unknown>>, texts = false): Asked {
  const params = parseParams(endpoint, raw, texts);
  const identity = endpoint.identify(params);
  const limit = typeof params.limit === 'number' ? params.limit : 1;
  const demo = params.demo === true;
  return {
    endpoint,
    identity,
    limit,
    cursor: typeof params.cursor === 'string' ? params.cursor : null,
    fresh: params.fresh === true,
    demo,
    firstKey: cacheKey(endpoint, identity, limit, start),
  };
}
