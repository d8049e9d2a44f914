import { textOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';

/** Names in a list: undefined where there is no list, null where a hashtag stands in it without its name. */
export function namesIn(
  list: unknown,
  key: string,
  isHashtag: IsHashtag,
): readonly string[] | null | undefined {
  if (!Array.isArray(list)) return undefined;
  const nameless = list.filter((entry: unknown) => typeof at(entry, key) !== 'string');
  if (nameless.some(isHashtag) || (nameless.length > 0 && nameless.length === list.length)) return null;
  return list.flatMap((entry: unknown) => textOrNull(at(entry, key)) ?? []);
}

type IsHashtag = (entry: unknown) => boolean;

/** `textExtra` lists mentions, too, which have the type 0. */
export const isHashtag: IsHashtag = (entry) => at(entry, 'type') === 1;

/** The names in the parts of a caption, which is read whole or not at all. */
export function namesInParts(parts: unknown): readonly string[] | null | undefined {
  if (!Array.isArray(parts)) return undefined;
  const names = parts.map(
    (part: unknown) => namesIn(at(part, 'textExtra'), 'hashtagName', isHashtag) ?? null,
  );
  return names.every((list) => list !== null) ? names.flat() : null;
}

/**
 * Hashtags of a caption, lower case and each once. Pages list them up to three times; the first list that holds some is
 * taken. Null where no list is there at all, or one that cannot be read. The caption itself is not searched: what
 * stands after a # is not always a hashtag of the platform's.
 */
export function hashtagsIn(...lists: readonly (readonly string[] | null | undefined)[]): string[] | null {
  const names = lists.map((list) =>
    (list ?? []).map((name) => name.replace(/^#/, '').toLowerCase()).filter((name) => name !== ''),
  );
  const found = names.find((list) => list.length > 0);
  if (found !== undefined) return [...new Set(found)];
  return lists.includes(null) || lists.every((list) => list === undefined) ? null : [];
}
