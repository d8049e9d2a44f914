import type { Element } from '../../read/html-tree.js';
import { line } from '../../read/html-tree.js';

/** True for what the platform puts in place of a text it hides: asterisks and signs. */
export const isMasked = (text: string) => text.includes('*') && /^[\s\p{P}\p{S}]+$/u.test(text);

/** A text, where it is shown: null for one behind asterisks, and for "-", which stands for none. */
export function visibleOrNull(text: string | null): string | null {
  return text === null || text === '-' || isMasked(text) ? null : text;
}

/** Text of an element on one line, where it is shown. */
export const visibleLine = (element: Element | null) => visibleOrNull(line(element));
