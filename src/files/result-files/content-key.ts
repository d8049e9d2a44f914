import { digest } from '../../../lib/call/cursor.js';
import type { Json } from '../../../lib/read/json.js';
import { stableValue } from './stable-value.js';

/** Fields that hold the platform's ID of an item. */
const idFields = ['place_id', 'shortcode', 'id'] as const;

/** Identifies an item without a source ID: by an ID field, or else by all its stable content. */
export function contentKey(item: unknown): string {
  const fields = item as Readonly<Record<string, unknown>>;
  for (const name of idFields) if (typeof fields[name] === 'string') return `${name}:${fields[name]}`;
  return digest(stableValue(item, false) as Json);
}
