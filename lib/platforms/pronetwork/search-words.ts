const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the words of a text without accents and case. */
export const wordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

export function namesAny(text: string, words: string): boolean {
  const ownWords = wordsOf(text);
  return wordsOf(words).some((word) => ownWords.includes(word));
}

/** Short words occur inside others by chance, so they must match as a word. */
const isLong = (word: string) => word.length > 3;

function holds(text: string, terms: readonly string[]): boolean {
  const [full, words] = [folded(text), wordsOf(text)];
  return terms.some((word) => (isLong(word) ? full.includes(word) : words.includes(word)));
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
  const terms = long.length > 0 ? long : words;
  const first = texts.slice(0, 10);
  return terms.length > 0 && first.filter((text) => holds(text, terms)).length < first.length * least;
}
