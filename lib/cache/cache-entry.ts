import { crc32 } from 'node:zlib';
import type { PageCoverage } from '../call/coverage.js';
import { isRecord, type Json } from '../read/json.js';
import type { CachedAnswer } from './cache.js';

/** An answer and its lifetime. */
export interface CacheEntry {
  readonly answer: CachedAnswer;
  /** The lifetime in milliseconds, and its end in milliseconds since 1970. */
  readonly lifetime: number;
  readonly expires: number;
}

/**
 * True while an entry may be given out. One that would live on for longer than its lifetime was made while the clock
 * was ahead. Nobody knows how old it is.
 */
export function isAlive(
  { lifetime, expires }: Pick<CacheEntry, 'lifetime' | 'expires'>,
  now: number,
): boolean {
  const remaining = expires - now;
  return remaining > 0 && remaining <= lifetime;
}

/** A line of JSON about the entry, and the payload untouched, so that reading it back parses the line only. */
export function entryText({ answer, lifetime }: Pick<CacheEntry, 'answer' | 'lifetime'>): string {
  const { data, ...about } = answer;
  return `${JSON.stringify({ ...about, lifetime, crc32: crc32(data) })}\n${data}`;
}

/** The reverse of `entryText`; undefined for text that it did not write, and for a payload with other bytes. */
export function entryFrom(text: string): Omit<CacheEntry, 'expires'> | undefined {
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
