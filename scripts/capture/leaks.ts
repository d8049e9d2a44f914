import { decodeHTML } from 'entities';
import { type Vocabulary, wordsOf } from './vocabulary.js';

/** Shortest word and number that may not remain. */
const minLetters = 4;
const minDigits = 6;

/** A text with every kind of escape undone. */
function plain(text: string): string {
  const unescaped = text
    .replace(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[nrtbf]/g, ' ')
    .replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return ' ';
      }
    });
  return decodeHTML(unescaped);
}

/** Words, numbers and tokens of texts, in lower case. */
export function contentOf(texts: readonly string[]): Set<string> {
  const found = texts.flatMap((text) => {
    // All place_ids begin alike: each counts as one token.
    const placeIds = plain(text).match(/ChIJ[\w-]{23}/g) ?? [];
    const all = plain(text).replace(/ChIJ[\w-]{23}/g, ' ');
    const tokens = all.match(/[\p{L}\p{N}]{6,}/gu) ?? [];
    return [
      ...placeIds,
      ...wordsOf(all),
      ...(all.match(/\d+/g) ?? []),
      ...tokens.map((token) => token.toLowerCase()),
    ];
  });
  return new Set(found);
}

/**
 * What the original says and the result still does, outside the vocabulary. It reads the bytes that were written and
 * knows nothing of how they were made.
 */
export function leaksOf(
  original: ReadonlySet<string>,
  results: readonly string[],
  vocabulary: Vocabulary,
): string[] {
  return [...contentOf(results)].filter((word) => {
    if (!original.has(word)) return false;
    if (/^\d+$/.test(word)) return word.length >= minDigits && !vocabulary.numbers.has(word);
    return [...word].length >= minLetters && !vocabulary.markup.has(word);
  });
}

/** The form of an answer: types, nulls, lengths of lists. Equal forms mean that nothing was lost. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}
