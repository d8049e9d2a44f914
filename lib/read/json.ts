import { ExtractError } from '../errors/extract-error.js';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A step into a tree: an object's key or a list's index (negative from the end). */
export type Step = string | number;

/**
 * Returns the value at a path, or undefined if the path leaves the tree. Own keys only, so `__proto__` leads nowhere.
 */
export function at(tree: unknown, ...path: readonly Step[]): unknown {
  return valueAt(tree, path);
}

/** The same for a path as a list. Parsers call it a thousand times per page, so it allocates nothing. */
export function valueAt(tree: unknown, path: readonly Step[]): unknown {
  let node = tree;
  for (let index = 0; index < path.length; index += 1) {
    const step = path[index] as Step;
    if (node === null || typeof node !== 'object') return undefined;
    if (Array.isArray(node)) {
      if (typeof step !== 'number') return undefined;
      node = node[step < 0 ? node.length + step : step];
    } else {
      if (!Object.hasOwn(node, step)) return undefined;
      node = (node as Record<Step, unknown>)[step];
    }
  }
  return node;
}

/** Returns true if any value in a tree satisfies the condition, at any depth. */
export function anywhere(tree: unknown, holds: (value: unknown) => boolean): boolean {
  const waiting = [tree];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (holds(value)) return true;
    if (value !== null && typeof value === 'object')
      for (const part of Object.values(value)) waiting.push(part);
  }
  return false;
}

/** Returns the list at a path, or an empty one. */
export function listAt(tree: unknown, ...path: readonly Step[]): readonly unknown[] {
  const value = valueAt(tree, path);
  return Array.isArray(value) ? value : [];
}

/** Returns JSON with the keys of every object sorted, so that equal values have equal text. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Deeper than any real page. A parser takes ten times as long for text that only opens lists. */
const maxDepth = 500;
/** Maximum characters to parse unchecked: less than 10 ms at any depth. */
const maxUnchecked = 16 * 1024;

/** Returns the index of the quotation mark that ends a string of JSON, or the length of the text if none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === 0x5c) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= maxDepth; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if ((code | 0x20) === 0x7b) depth += 1;
    else if ((code | 0x20) === 0x7d) depth -= 1;
  }
  return depth > maxDepth;
}

/** Throws `platform_changed` for text that is not JSON. */
export function parseJson(text: string, what: string): unknown {
  if (text.length > maxUnchecked && nestsTooDeep(text)) {
    throw new ExtractError('platform_changed', `${what} nests deeper than ${maxDepth} lists.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ExtractError('platform_changed', `${what} is not readable JSON.`, { cause });
  }
}

/** Returns the text between two markers, or null if either is missing. Searches from `from`. */
export function between(text: string, start: string, end: string, from = 0): string | null {
  const head = text.indexOf(start, from);
  if (head < 0) return null;
  const tail = text.indexOf(end, head + start.length);
  return tail < 0 ? null : text.slice(head + start.length, tail);
}

/** Returns a part of text or bytes; of bytes without a copy. */
const partOf = (html: string | Buffer, from: number, to: number) =>
  typeof html === 'string' ? html.slice(from, to) : html.subarray(from, to);

/** Maximum elements with one id to look at: an id is unique on a real page. */
const maxSameId = 1000;

/** Returns the start and end of the content of the script element with this id, or null. Looks at every part once. */
function scriptRange(html: string | Buffer, id: string): readonly [from: number, to: number] | null {
  for (const quoted of [`id="${id}"`, `id='${id}'`]) {
    let from = 0;
    for (let count = 0; count < maxSameId; count += 1) {
      const index = html.indexOf(quoted, from);
      if (index < 0) break;
      const tag = partOf(html, from, index);
      const open = tag.lastIndexOf('<');
      if (open >= 0 && partOf(tag, open, open + '<script'.length).toString() === '<script') {
        const body = html.indexOf('>', index);
        const close = body < 0 ? -1 : html.indexOf('</script>', body);
        return close < 0 ? null : [body + 1, close];
      }
      from = index + quoted.length;
    }
  }
  return null;
}

/**
 * Returns the content of the script element with this id, or null. Its other attributes and their order do not
 * matter. Searches for markers, without a tree of the page.
 */
export function scriptById(html: string, id: string): string | null {
  const range = scriptRange(html, id);
  return range && html.slice(...range);
}

/** The same over the bytes of a page in UTF-8, without decoding it. */
export function scriptBytesById(html: Uint8Array, id: string): Uint8Array | null {
  const bytes = Buffer.from(html.buffer, html.byteOffset, html.byteLength);
  const range = scriptRange(bytes, id);
  return range && bytes.subarray(...range);
}

export type Path = readonly Step[];

/** Returns the first value among the paths that converts, or null, for facts that a page has in several places. */
export function pick<T>(
  tree: unknown,
  paths: readonly Path[],
  convert: (value: unknown) => T | null,
): T | null {
  for (const path of paths) {
    const value = convert(valueAt(tree, path));
    if (value !== null) return value;
  }
  return null;
}
