const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the words of a text, without accents and case. */
export const wordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** True if a text contains one of the words of another. */
export function namesAny(text: string, words: string): boolean {
  const named = wordsOf(text);
  return wordsOf(words).some((word) => named.includes(word));
}

/** Short words occur inside others by chance, so they must match as a word. */
const isLong = (word: string) => word.length > 3;

function holds(text: string, asked: readonly string[]): boolean {
  const [whole, words] = [folded(text), wordsOf(text)];
  return asked.some((word) => (isLong(word) ? whole.includes(word) : words.includes(word)));
}

/**
 * In 19 real lists at least half of the first ten jobs had a word of the search; in unrelated ones none did (2026-08).
 */
const least = 0.3;

/**
 * True if too few of the first ten texts contain any word of the search: visitors may get unrelated jobs for words that
 * no job has. A search in another script or in synonyms looks the same, so this is a doubt, not proof.
 */
export function areUnrelated(texts: readonly string[], query: string): boolean {
  const words = wordsOf(query);
  const long = words.filter((word) => word.length > 2);
  const asked = long.length > 0 ? long : words;
  const first = texts.slice(0, 10);
  return asked.length > 0 && first.filter((text) => holds(text, asked)).length < first.length * least;
}
