import * as z from 'zod';
import type { Signal } from './abort.js';
import type { CachedAnswer } from './cache/cache-store.js';
import type { Clock } from './clock.js';
import { fingerprint, type Place } from './cursor.js';
import type { Endpoint, Reading } from './endpoint.js';
import { ExtractError } from './errors.js';
import { canonicalJson, type Json } from './read/json.js';
import type { PageSource } from './web/page-source.js';

/** What one page of an answer is made from. */
export interface Question {
  readonly endpoint: Endpoint;
  readonly identity: Readonly<Record<string, Json>>;
  readonly place: Place;
  readonly limit: number;
  /** The operator's replacements for the platform's dated data; none when left out. */
  readonly overrides?: Json;
}

export interface Fetched {
  readonly answer: CachedAnswer;
  /** What `answer.data` spells out. */
  readonly data: unknown;
  /** How long it may be kept. */
  readonly seconds: number;
}

/** An answer that is true but thin is kept this long, so that a better one can follow soon. */
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
function unseen(reading: Reading<unknown>, data: unknown, place: Place) {
  const next = reading.next ?? null;
  if (!Array.isArray(data)) return { data, prints: [], next };
  const seen = new Set(place.seen);
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
  const standsStill = place.position !== null && canonicalJson(next) === canonicalJson(place.position);
  return { data: fresh, prints, next: repeats || standsStill ? null : next };
}

/** Reads one answer from a source of pages: the same for network, samples and saved pages. */
export async function fetchAnswer(
  { endpoint, identity, place, limit, overrides = null }: Question,
  pages: PageSource,
  clock: Clock,
  signal?: Signal,
): Promise<Fetched> {
  const visit = pages.visit(endpoint.site, signal);
  try {
    const reading = await endpoint.read({ identity, limit, position: place.position, visit, overrides });
    const { data, prints, next } = unseen(reading, checked(endpoint, reading.data), place);
    visit.end();
    return {
      answer: { data: JSON.stringify(data), fetchedAt: new Date(clock.now()).toISOString(), next, prints },
      data,
      seconds: reading.brief === true ? Math.min(briefSeconds, endpoint.cacheSeconds) : endpoint.cacheSeconds,
    };
  } catch (error) {
    visit.end(error);
    throw error;
  }
}
