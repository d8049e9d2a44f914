import { prose, treeOf } from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import { textIn } from './json-ld.js';

/**
 * Returns a text of a thing whose line breaks may be tags: `<br>` (2024-2026), which alone makes it HTML. In its own
 * file, because only this reader of JSON-LD loads a parser.
 */
export function proseIn(thing: unknown, ...path: readonly string[]): string | null {
  const value = at(thing, ...path);
  if (typeof value !== 'string' || !/<br\s*\/?>/i.test(value)) return textIn(thing, ...path);
  return prose(treeOf(value));
}
