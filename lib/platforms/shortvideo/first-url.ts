import { urlOrNull } from '../../read/convert.js';
import { at, listAt } from '../../read/json.js';

/**
 * The forms in which a value holds an address: a text, the list of an object (pages for phones), or a list by
 * quality, best last.
 */
function candidates(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.map((one: unknown) => at(one, 'url')).reverse();
  return [value, ...listAt(value, 'urlList')];
}

/** First address that is one: an address the page leaves empty is no address. */
export function firstUrl(...values: readonly unknown[]): string | null {
  for (const value of values.flatMap(candidates)) {
    const url = urlOrNull(value);
    if (url !== null) return url;
  }
  return null;
}
