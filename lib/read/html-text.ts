import { decodeHTML } from 'entities';
import { textOrNull } from './convert.js';

/** Resolves character references (`&amp;`, `&#39;`), as in attribute values. */
export function resolveReferences(text: string): string {
  return decodeHTML(text);
}

/**
 * Returns the text of a small piece of HTML, such as a comment. `<br>` becomes a new line, other elements leave their
 * content, and character references are resolved. "" is null.
 */
export function textOfHtml(value: unknown): string | null {
  if (typeof value !== 'string' || !/[<&]/.test(value)) return textOrNull(value);
  const plain = value.replace(/<br\s*\/?>/gi, '\n').replace(/<\/?[a-z][^<>]*>/gi, '');
  return textOrNull(resolveReferences(plain));
}
