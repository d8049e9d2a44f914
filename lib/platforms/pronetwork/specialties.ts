/** Returns a language's separators between the items of a list, and before its last. */
function separators(language: string): { between: string; last: string } {
  const parts = new Intl.ListFormat(language, { type: 'conjunction' }).formatToParts(['1', '2', '3']);
  const literals = parts.filter((part) => part.type === 'literal').map((part) => part.value);
  return { between: literals[0] ?? ', ', last: literals[1] ?? ', ' };
}

/**
 * Parses a list worded in a language: "A, B, and C". Two items joined by a bare "and" stay one, because a single item
 * may contain the word.
 */
export function parseSpecialties(text: string, language: string): string[] {
  const { between, last } = separators(language);
  const items = text.split(between);
  const end = items.at(-1) ?? '';
  const word = last.startsWith(between) ? last.slice(between.length) : last;
  if (items.length > 1 && last.startsWith(between)) {
    if (end.startsWith(word)) items.splice(-1, 1, end.slice(word.length));
  } else if (items.length > 1) {
    const at = end.lastIndexOf(last);
    if (at > 0) items.splice(-1, 1, end.slice(0, at), end.slice(at + last.length));
  }
  return items.map((item) => item.trim()).filter((item) => item !== '');
}
