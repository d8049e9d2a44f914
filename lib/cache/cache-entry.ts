import { crc32 } from 'node:zlib';
import type { KeyvSerializationAdapter, KeyvValue } from 'keyv';
import type { PageCoverage } from '../call/coverage.js';
import { isRecord, type Json } from '../read/json.js';
import type { Clock } from '../runtime/clock.js';
import type { CachedAnswer } from './cache.js';

/** An answer and its lifetime in milliseconds. */
export interface AgingAnswer {
  readonly answer: CachedAnswer;
  readonly lifetime: number;
}

/** An answer, its lifetime and its expiry time, in milliseconds since 1970. */
export interface CacheEntry extends AgingAnswer {
  readonly expires: number;
}

/**
 * Returns true if an entry may be used. One that would outlive its lifetime was written while the clock was ahead, so
 * its age is unknown.
 */
export function isAlive({ lifetime, expires }: Omit<CacheEntry, 'answer'>, now: number): boolean {
  const remaining = expires - now;
  return remaining > 0 && remaining <= lifetime;
}

/** Formats a line of JSON about the entry, then the unchanged payload, so that reading parses only the line. */
function textOf({ answer, lifetime }: AgingAnswer): string {
  const { data, ...about } = answer;
  return `${JSON.stringify({ ...about, lifetime, crc32: crc32(data) })}\n${data}`;
}

/** Parses the text of `textOf`; undefined for any other text, or if the payload's bytes differ. */
function answerFrom(text: string): AgingAnswer | undefined {
  const end = text.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const about: unknown = JSON.parse(text.slice(0, end));
    if (about === null || typeof about !== 'object') return undefined;
    const {
      fetchedAt,
      next,
      prints,
      sources,
      places,
      brief,
      coverage,
      lifetime,
      crc32: sum,
    } = about as Record<string, unknown>;
    if (typeof fetchedAt !== 'string' || next === undefined || !Array.isArray(prints)) return undefined;
    if (!prints.every((print) => typeof print === 'string') || typeof lifetime !== 'number') return undefined;
    const data = text.slice(end + 1);
    if (sum !== crc32(data)) return undefined;
    const cachedFields = {
      ...(typeof sources === 'string' ? { sources } : {}),
      ...(Array.isArray(places) ? { places: places as readonly number[] } : {}),
      ...(brief === true ? { brief } : {}),
      ...(isRecord(coverage) ? { coverage: coverage as unknown as PageCoverage } : {}),
    };
    return { answer: { data, fetchedAt, next: next as Json, prints, ...cachedFields }, lifetime };
  } catch {
    return undefined;
  }
}

/**
 * The stored text of an entry. The expiry time comes first, so that it can be read alone. Other texts, and payloads
 * whose bytes differ, are undefined.
 */
export function entrySerialization(clock: Clock, skewMs: number): KeyvSerializationAdapter {
  const entryOf = (text: string): KeyvValue<AgingAnswer> | undefined => {
    const end = text.indexOf('\n');
    const expires = Number(text.slice(0, Math.max(0, end)));
    const value = end > 0 && Number.isFinite(expires) ? answerFrom(text.slice(end + 1)) : undefined;
    if (value === undefined) return undefined;
    const soonest = clock.now() + value.lifetime;
    // The clock of the server that wrote it may be ahead, which does not make its age unknown.
    return { value, expires: expires <= soonest + skewMs ? Math.min(expires, soonest) : expires };
  };
  return {
    stringify(entry) {
      const { value, expires } = entry as Required<KeyvValue<AgingAnswer>>;
      return `${Math.ceil(expires as number)}\n${textOf(value)}`;
    },
    parse: <T>(text: string) => entryOf(text) as T,
  };
}
