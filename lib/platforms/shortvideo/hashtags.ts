import { textOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';

/** Undefined without a list, null if a hashtag in it has no name. */
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

/** `textExtra` also lists mentions, which have the type 0. */
export const isHashtag: IsHashtag = (entry) => at(entry, 'type') === 1;

/** Returns the hashtags in the parts of a caption, which is read completely or not at all. */
export function namesInParts(parts: unknown): readonly string[] | null | undefined {
  if (!Array.isArray(parts)) return undefined;
  const names = parts.map(
    (part: unknown) => namesIn(at(part, 'textExtra'), 'hashtagName', isHashtag) ?? null,
  );
  return names.every((list) => list !== null) ? names.flat() : null;
}

/**
 * Returns the hashtags of a caption, in lower case and each once. Pages list them up to three times; the first
 * non-empty list is used. Null if there is no list, or one that cannot be read. The caption itself is not searched,
 * because not everything after a # is a hashtag on the platform.
 */
export function hashtagsIn(...lists: readonly (readonly string[] | null | undefined)[]): string[] | null {
  const names = lists.map((list) =>
    (list ?? []).map((name) => name.replace(/^#/, '').toLowerCase()).filter((name) => name !== ''),
  );
  const tags = names.find((list) => list.length > 0);
  if (tags !== undefined) return [...new Set(tags)];
  return lists.includes(null) || lists.every((list) => list === undefined) ? null : [];
}
