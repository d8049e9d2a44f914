import type { Element } from '../../read/html-tree.js';
import { line } from '../../read/html-tree.js';

/** True for the asterisks and signs that the platform shows instead of a hidden text. */
export const isMasked = (text: string) => text.includes('*') && /^[\s\p{P}\p{S}]+$/u.test(text);

/** Returns a visible text; null for a masked one, and for "-", which means none. */
export function visibleOrNull(text: string | null): string | null {
  return text === null || text === '-' || isMasked(text) ? null : text;
}

/** Returns an element's text on one line; null if hidden. */
export const visibleLine = (element: Element | null) => visibleOrNull(line(element));
