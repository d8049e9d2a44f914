import { digest } from '../../../lib/call/cursor.js';
import type { Json } from '../../../lib/read/json.js';
import { stableValue } from './stable-value.js';

/** Fields that hold the platform's own id of an item. */
const idFields = ['place_id', 'shortcode', 'id'] as const;

/**
 * The name of an item that came without its ID. The id among its fields, or else all of it that does not change by
 * itself.
 */
export function contentKey(item: unknown): string {
  const fields = item as Readonly<Record<string, unknown>>;
  for (const name of idFields) if (typeof fields[name] === 'string') return `${name}:${fields[name]}`;
  return digest(stableValue(item, false) as Json);
}
