/** Letters without marks, in one case; everything else becomes a space. */
const plain = (text: string) =>
  ` ${text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const pairsOf = (text: string) => {
  const letters = [...plain(text)];
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
};

/**
 * The share of the shorter text's letter pairs: a corrected spelling has more in common, another search rarely as many.
 */
const minShared = 1 / 3;

const isLatin = (text: string) => /\p{Script=Latin}/u.test(text);

/**
 * True if the query in a response may be the query that was sent. The platform corrects spellings and may convert
 * Latin letters to another script; such a query cannot be compared.
 */
export function isSameQuery(query: string, echoed: string): boolean {
  if (isLatin(query) !== isLatin(echoed)) return true;
  const [one, other] = [pairsOf(query), pairsOf(echoed)];
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return shared >= Math.min(one.size, other.size) * minShared;
}
