/** Letters without marks, in one case; whatever is none counts as a space. */
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

/** A third of the letter pairs of the shorter text: a corrected spelling keeps more, another search rarely as many. */
const minShared = 1 / 3;

const isLatin = (text: string) => /\p{Script=Latin}/u.test(text);

/**
 * Whether the query that an answer repeats can be the one that was asked. The platform corrects spellings, and may write
 * in another script what was typed in Latin letters; nothing is told of those.
 */
export function isSameQuery(asked: string, echoed: string): boolean {
  if (isLatin(asked) !== isLatin(echoed)) return true;
  const [one, other] = [pairsOf(asked), pairsOf(echoed)];
  const shared = [...one].filter((pair) => other.has(pair)).length;
  return shared >= Math.min(one.size, other.size) * minShared;
}
