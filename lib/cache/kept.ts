import type { Json } from '../read/json.js';
import type { CachedAnswer } from './cache-store.js';

/** An answer and the end of its lifetime, in milliseconds since 1970. */
export interface Kept {
  readonly answer: CachedAnswer;
  readonly expires: number;
}

/** Digits that open each entry of the file: the end of its lifetime, so that SQLite can find expired ones by an index. */
export const expiryDigits = 16;

/** A time in so many digits that texts sort as times do. */
export function expiryText(time: number): string {
  return String(Math.max(0, Math.ceil(time))).padStart(expiryDigits, '0');
}

/** Expiry, a line of JSON about the answer, and the payload untouched, so that reading it back parses the line only. */
export function keptText({ answer, expires }: Kept): string {
  const { data, ...about } = answer;
  return `${expiryText(expires)}${JSON.stringify(about)}\n${data}`;
}

/** The reverse of `keptText`, or undefined for text that it did not write. */
export function keptFrom(text: string): Kept | undefined {
  const end = text.indexOf('\n');
  const expires = Number(text.slice(0, expiryDigits));
  if (end < 0 || !Number.isSafeInteger(expires)) return undefined;
  try {
    const about: unknown = JSON.parse(text.slice(expiryDigits, end));
    if (about === null || typeof about !== 'object') return undefined;
    const { fetchedAt, next, prints } = about as Record<string, unknown>;
    if (typeof fetchedAt !== 'string' || next === undefined || !Array.isArray(prints)) return undefined;
    if (!prints.every((print) => typeof print === 'string')) return undefined;
    return { answer: { data: text.slice(end + 1), fetchedAt, next: next as Json, prints }, expires };
  } catch {
    return undefined;
  }
}
