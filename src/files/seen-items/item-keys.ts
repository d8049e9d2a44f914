import { digest } from '../../../lib/call/cursor.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Json } from '../../../lib/read/json.js';
import { stableValue } from './stable-value.js';

/** Fields that hold the platform's own id of an item. */
const idFields = ['place_id', 'shortcode', 'id'] as const;

/**
 * What names an item that came without its id. The id among its fields, or else all of it that does not change by
 * itself.
 */
function keyOf(item: unknown): string {
  const fields = item as Readonly<Record<string, unknown>>;
  for (const name of idFields) if (typeof fields[name] === 'string') return `${name}:${fields[name]}`;
  return digest(stableValue(item, false) as Json);
}

/**
 * Names the items of a page, in order. By the platform's own ids, of which the road of a call gives fingerprints. A
 * server does not tell them; its items are named by what they hold.
 */
export function itemKeys({ prints }: Pick<Answer, 'prints'>, items: readonly unknown[]): readonly string[] {
  return prints !== undefined && prints.length === items.length ? prints : items.map(keyOf);
}
