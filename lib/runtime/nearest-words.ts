/** Returns the number of letters to change, add, remove or swap to turn one word into another. */
function editDistance(one: string, other: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const change = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const swap = isSwapped ? (before[to - 2] ?? 0) + 1 : change;
      next.push(Math.min(change, swap, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

const maxLength = 80;
const maxWords = 3;

/** The parts of a word in a fixed order, so that `private_account` matches `account_private`. */
const partsOf = (word: string) => word.toLowerCase().split(/[_-]/).sort().join('_');

/** Returns the known words nearest to a mistyped one, all at the same distance. Empty if none is near. */
export function nearestWords(word: string, vocabulary: readonly string[]): string[] {
  const lower = word.toLowerCase();
  if (lower === '' || lower.length > maxLength) return [];
  const reordered = /[_-]/.test(lower) ? vocabulary.filter((one) => partsOf(one) === partsOf(lower)) : [];
  if (reordered.length > 0) return reordered.slice(0, maxWords);
  // A third of the letters may be wrong, but never most of a short word.
  const most = Math.min(4, Math.max(1, Math.floor(lower.length / 3)));
  const distances = vocabulary.map((one) => ({ one, distance: editDistance(lower, one.toLowerCase()) }));
  const least = Math.min(...distances.map(({ distance }) => distance));
  if (least > most) return [];
  const nearest = distances.flatMap(({ one, distance }) => (distance === least ? [one] : []));
  return [...new Set(nearest)].slice(0, maxWords);
}

/** Returns `Did you mean a, b or c?`, or "" without suggestions. */
export function suggestion(words: readonly string[]): string {
  if (words.length === 0) return '';
  const last = words.at(-1);
  return `Did you mean ${words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`}?`;
}

export function suggestBefore(word: string, vocabulary: readonly string[], rest: string): string {
  return `${suggestion(nearestWords(word, vocabulary))} ${rest}`.trimStart();
}

/** Returns the paths that a mistyped path may mean: similar ones, or those with the same name under any platform. */
export function nearestPaths(path: string, vocabulary: readonly string[]): string[] {
  const near = nearestWords(path, vocabulary);
  if (near.length > 0) return near;
  const nameOf = (one: string) => one.slice(one.lastIndexOf('/') + 1);
  const names = nearestWords(nameOf(path), [...new Set(vocabulary.map(nameOf))]);
  return vocabulary.filter((one) => names.includes(nameOf(one))).slice(0, maxWords);
}
