import { canonicalJson, type Json } from '../../../lib/read/json.js';
import { stableValue } from '../../files/result-files/stable-value.js';

/** The value before and after, by field. */
export type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

type Fields = Readonly<Record<string, unknown>>;

const sameValue = (one: unknown, other: unknown) =>
  canonicalJson(one as Json) === canonicalJson(other as Json);

/**
 * Returns the fields of an object that differ from an earlier reading, or null if none does. Signed addresses and
 * momentary values never count; counts do with `counts`. The values are complete, as on the pages.
 */
export function changesOf(before: Fields, after: Fields, counts: boolean): Changes | null {
  const [stableBefore, stableAfter] = [stableValue(before, counts), stableValue(after, counts)] as [
    Fields,
    Fields,
  ];
  const changes: Record<string, readonly [unknown, unknown]> = {};
  for (const field of new Set([...Object.keys(stableAfter), ...Object.keys(stableBefore)])) {
    if (sameValue(stableBefore[field] ?? null, stableAfter[field] ?? null)) continue;
    changes[field] = [before[field] ?? null, after[field] ?? null];
  }
  return Object.keys(changes).length === 0 ? null : changes;
}
