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

/** The same, and its end in milliseconds since 1970. */
export interface CacheEntry extends AgingAnswer {
  readonly expires: number;
}

/**
 * True while an entry may be given out. One that would live on for longer than its lifetime was made while the clock
 * was ahead. Nobody knows how old it is.
 */
export function isAlive({ lifetime, expires }: Omit<CacheEntry, 'answer'>, now: number): boolean {
  const remaining = expires - now;
  return remaining > 0 && remaining <= lifetime;
}

/** A line of JSON about the entry, and the payload untouched, so that reading it back parses the line only. */
function textOf({ answer, lifetime }: AgingAnswer): string {
  const { data, ...about } = answer;
  return `${JSON.stringify({ ...about, lifetime, crc32: crc32(data) })}\n${data}`;
}

/** The reverse of `textOf`; undefined for text that it did not write, and for a payload with other bytes. */
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
    const known = {
      ...(typeof sources === 'string' ? { sources } : {}),
      ...(Array.isArray(places) ? { places: places as readonly number[] } : {}),
      ...(brief === true ? { brief } : {}),
      ...(isRecord(coverage) ? { coverage: coverage as unknown as PageCoverage } : {}),
    };
    return { answer: { data, fetchedAt, next: next as Json, prints, ...known }, lifetime };
  } catch {
    return undefined;
  }
}

/**
 * The text of an entry in a store. When it expires comes first, so that reading it asks the store for nothing else. Text that
 * it did not write, and a payload with other bytes, are undefined.
 */
export function entrySerialization(clock: Clock, skewMs: number): KeyvSerializationAdapter {
  const entryOf = (text: string): KeyvValue<AgingAnswer> | undefined => {
    const end = text.indexOf('\n');
    const expires = Number(text.slice(0, Math.max(0, end)));
    const value = end > 0 && Number.isFinite(expires) ? answerFrom(text.slice(end + 1)) : undefined;
    if (value === undefined) return undefined;
    const soonest = clock.now() + value.lifetime;
    // The server that wrote it may be ahead: that does not make its answer one of unknown age.
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
