import { decodeHTML } from 'entities';
import { isKnownWord, type Vocabulary } from './vocabulary.js';

/** Shortest word and number that may not remain. */
const minLetters = 4;
const minDigits = 6;

/** Decodes every kind of escape in a text. */
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

/** Returns the words, numbers and tokens of a text. */
function tokensOf(text: string): string[] {
  // All place_ids begin alike, so each counts as one token.
  const placeIds = plain(text).match(/ChIJ[\w-]{23}/g) ?? [];
  const rest = plain(text).replace(/ChIJ[\w-]{23}/g, ' ');
  return [...placeIds, ...(rest.match(/\p{L}+|\d+/gu) ?? []), ...(rest.match(/[\p{L}\p{N}]{6,}/gu) ?? [])];
}

/** Returns the words, numbers and tokens of texts, in lower case. */
export function contentOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap(tokensOf).map((token) => token.toLowerCase()));
}

/** True for what may remain: known words, and short or known numbers. */
function mayRemain(token: string, { markup, numbers }: Vocabulary): boolean {
  const words = token.match(/\p{L}+/gu) ?? [];
  const isMixed = words.length > 0 && /\d/.test(token);
  return (
    words.every((word) => isKnownWord(markup, word) || [...word].length < (isMixed ? 2 : minLetters)) &&
    (token.match(/\d+/g) ?? []).every((run) => numbers.has(run) || run.length < (isMixed ? 3 : minDigits))
  );
}

/**
 * Returns the original words outside the vocabulary that the result still contains. Reads the bytes that were written,
 * independently of how they were produced.
 */
export function leaksOf(
  original: ReadonlySet<string>,
  results: readonly string[],
  vocabulary: Vocabulary,
): string[] {
  const tokens = new Set(results.flatMap(tokensOf));
  return [...tokens].filter((token) => original.has(token.toLowerCase()) && !mayRemain(token, vocabulary));
}

/** Returns the shape of an answer: types, nulls, lengths of lists. Equal shapes mean that nothing was lost. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}

const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns where two shapes differ, as paths with both sides. */
export function formDifferences(before: unknown, after: unknown, at = ''): string[] {
  if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    const child = (tree: object, key: string) => (tree as Record<string, unknown>)[key];
    return [...keys].flatMap((key) => formDifferences(child(before, key), child(after, key), `${at}/${key}`));
  }
  const [was, is] = [JSON.stringify(before), JSON.stringify(after)];
  return was === is ? [] : [`${at}: ${was} became ${is}`];
}
