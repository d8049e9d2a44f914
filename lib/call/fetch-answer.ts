import * as z from 'zod';
import type { CachedAnswer } from '../cache/cache.js';
import type { Endpoint, ReadResult } from '../endpoint.js';
import { ExtractError, withSeen } from '../errors/extract-error.js';
import { canonicalJson, type Json } from '../read/json.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { observed } from '../web/observed-session.js';
import type { PageSource } from '../web/page-source.js';
import { fingerprint, type ListPosition } from './cursor.js';

/** What one page of an answer is made from. */
export interface FetchRequest {
  readonly endpoint: Endpoint;
  readonly identity: Readonly<Record<string, Json>>;
  readonly position: ListPosition;
  readonly limit: number;
  /** The operator's replacements for the platform's dated data; none when left out. */
  readonly overrides?: Json;
}

export interface FetchedAnswer {
  readonly answer: CachedAnswer;
  /** What `answer.data` spells out. */
  readonly data: unknown;
  /** How long the cache may keep it. */
  readonly seconds: number;
}

/** An answer that is true but thin stays in the cache this long, so that a better one can follow soon. */
const briefSeconds = 300;

/**
 * Holds a reading against the contract: every documented key there, in order, no other, each of its type.
 * What a page leads to beyond that is no answer but `platform_changed`.
 */
function checked(endpoint: Endpoint, data: unknown): unknown {
  const schema = endpoint.many ? z.array(endpoint.returns) : endpoint.returns;
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new ExtractError(
    'platform_changed',
    `The page led to a value that cannot be: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() +
      '.',
    { cause: result.error },
  );
}

/**
 * Drops items that earlier pages gave, and ends a listing whose source repeats itself or stands still.
 */
function unseen(reading: ReadResult<unknown>, data: unknown, position: ListPosition) {
  const next = reading.next ?? null;
  if (!Array.isArray(data)) return { data, prints: [], next };
  const seen = new Set(position.seen);
  const prints: string[] = [];
  const fresh: unknown[] = [];
  const ids = reading.ids ?? [];
  for (const [index, item] of data.entries()) {
    const id = ids[index];
    const print = id === undefined ? undefined : fingerprint(id);
    if (print !== undefined) {
      if (seen.has(print)) continue;
      seen.add(print);
      prints.push(print);
    }
    fresh.push(item);
  }
  const repeats = data.length > 0 && fresh.length === 0;
  const standsStill = position.position !== null && canonicalJson(next) === canonicalJson(position.position);
  return { data: fresh, prints, next: repeats || standsStill ? null : next };
}

/** Reads one answer from a source of pages: the same for network, samples and saved pages. */
export async function fetchAnswer(
  { endpoint, identity, position, limit, overrides = null }: FetchRequest,
  pages: PageSource,
  clock: Clock,
  signal?: CallSignal,
): Promise<FetchedAnswer> {
  const { session, seen } = observed(pages.open(endpoint.site, signal), endpoint.site);
  try {
    const reading = await endpoint.read({
      identity,
      limit,
      position: position.position,
      session,
      overrides,
    });
    const { data, prints, next } = unseen(reading, checked(endpoint, reading.data), position);
    session.end();
    return {
      answer: { data: JSON.stringify(data), fetchedAt: new Date(clock.now()).toISOString(), next, prints },
      data,
      seconds: reading.brief === true ? Math.min(briefSeconds, endpoint.cacheSeconds) : endpoint.cacheSeconds,
    };
  } catch (error) {
    session.end(error);
    const isOutcome =
      error instanceof ExtractError && (error.type === 'platform' || error.type === 'not_found');
    throw isOutcome ? withSeen(error, seen()) : error;
  }
}
