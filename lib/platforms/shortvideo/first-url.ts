import { urlOrNull } from '../../read/convert.js';
import { at, listAt } from '../../read/json.js';

/**
 * Returns the forms in which a value holds an address: a string, a list in an object (mobile pages), or a list by
 * quality, best last.
 */
function candidates(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.map((one: unknown) => at(one, 'url')).reverse();
  return [value, ...listAt(value, 'urlList')];
}

/** Returns the first valid address; the page may leave some empty. */
export function firstUrl(...values: readonly unknown[]): string | null {
  for (const value of values.flatMap(candidates)) {
    const url = urlOrNull(value);
    if (url !== null) return url;
  }
  return null;
}
