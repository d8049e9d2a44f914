import type { Json } from '../read/json.js';
import type { CachedAnswer } from './cache.js';

/** An answer and the end of its lifetime, in milliseconds since 1970. */
export interface CacheEntry {
  readonly answer: CachedAnswer;
  readonly expires: number;
}

/** A line of JSON about the answer, and the payload untouched, so that reading it back parses the line only. */
export function answerText(answer: CachedAnswer): string {
  const { data, ...about } = answer;
  return `${JSON.stringify(about)}\n${data}`;
}

/** The reverse of `answerText`, or undefined for text that it did not write. */
export function answerFrom(text: string): CachedAnswer | undefined {
  const end = text.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const about: unknown = JSON.parse(text.slice(0, end));
    if (about === null || typeof about !== 'object') return undefined;
    const { fetchedAt, next, prints } = about as Record<string, unknown>;
    if (typeof fetchedAt !== 'string' || next === undefined || !Array.isArray(prints)) return undefined;
    if (!prints.every((print) => typeof print === 'string')) return undefined;
    return { data: text.slice(end + 1), fetchedAt, next: next as Json, prints };
  } catch {
    return undefined;
  }
}
