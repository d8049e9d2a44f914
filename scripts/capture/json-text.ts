/** A JSON text as written, with its white space and escapes, so that a changed text preserves its layout. */
export type JsonNode =
  | { readonly kind: 'word'; readonly raw: string }
  | { readonly kind: 'string'; readonly raw: string; readonly inner: readonly Segment[] | null }
  | { readonly kind: 'container'; readonly open: string; readonly items: Item[]; readonly close: string };

/** A list's element or an object's member. */
export interface Item {
  /** The member's key as written, and what follows up to its value; null in a list. */
  readonly key: { readonly raw: string; readonly colon: string } | null;
  readonly value: JsonNode;
  /** `cut` removes a member, but writes `null` for an element, whose index may matter. */
  cut: boolean;
}

/** Text between JSON values, or such a value. */
export type Segment = { readonly text: string } | { readonly json: JsonNode };

const maxDepth = 400;

class NotJson extends Error {}

/** Reads the JSON value at a position of a text. Returns where it ends, too; null if there is none. */
function readJson(text: string, start: number): { readonly json: JsonNode; readonly end: number } | null {
  const token =
    /[ \t\n\r]*(?:"(?:[^"\\\p{Cc}]|\\.)*"|true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{},:])/suy;
  token.lastIndex = start;
  /** Returns the next token, after its white space, if it begins with one of these characters. */
  const next = (beginnings: string): string => {
    const raw = token.exec(text)?.[0];
    if (raw === undefined || !beginnings.includes(raw.trimStart()[0] ?? '')) throw new NotJson();
    return raw;
  };
  const values = '"{[tfn-0123456789';
  const nodeOf = (raw: string, depth: number): JsonNode => {
    const first = raw.trimStart()[0] ?? '';
    if (first === '"') return { kind: 'string', raw, inner: nestedSegments(JSON.parse(raw) as string) };
    if (first !== '{' && first !== '[') return { kind: 'word', raw };
    if (depth > maxDepth) throw new NotJson();
    const [begins, close] = first === '{' ? ['"', '}'] : [values, ']'];
    const items: Item[] = [];
    for (let end = next(begins + close); ; end = next(begins)) {
      if (end.endsWith(close) && items.length === 0)
        return { kind: 'container', open: raw, items, close: end };
      const key = first === '{' ? { raw: end, colon: next(':') } : null;
      items.push({ key, value: nodeOf(key === null ? end : next(values), depth + 1), cut: false });
      const after = next(`,${close}`);
      if (!after.endsWith(',')) return { kind: 'container', open: raw, items, close: after };
    }
  };
  try {
    return { json: nodeOf(next('{['), 0), end: token.lastIndex };
  } catch (error) {
    if (error instanceof NotJson || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Splits a text into JSON values and what is between them: a guard, lengths, an assignment. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  const opening = /\{(?=\s*["}])|\[(?=\s*["{[\]tfn\d-])/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const value = readJson(text, match.index);
    if (value === null) continue;
    if (match.index > from) segments.push({ text: text.slice(from, match.index) });
    segments.push({ json: value.json });
    from = value.end;
    opening.lastIndex = from;
  }
  if (from < text.length) segments.push({ text: text.slice(from) });
  return segments;
}

/** Parses the JSON inside a string; null if the string is plain text. */
function nestedSegments(text: string): readonly Segment[] | null {
  if (!/^\s*(?:\)\]\}'\s*)?[[{]/.test(text)) return null;
  const segments = segmentsOf(text);
  const last = segments.find((one) => 'json' in one);
  const rest = segments.map((one) => ('text' in one ? one.text : '')).join('');
  return last !== undefined && /^\s*(?:\)\]\}')?\s*$/.test(rest) ? segments : null;
}

/** How the parts of a text are changed on output. */
export interface TextChange {
  text(text: string): string;
  number(raw: string): string;
  key(text: string): string;
}

/** Encodes a JSON string, escaped in the same way as the original. */
function encodeString(text: string, like: string): string {
  const escapes = [...like.matchAll(/\\u([0-9a-fA-F]{4})/g)].map(([, code = '']) => code);
  const isUpper = escapes.some((code) => /[A-F]/.test(code));
  const escaped = new Set(escapes.map((code) => String.fromCharCode(Number.parseInt(code, 16))));
  const isAscii = [...escaped].some((character) => character > '\x7f');
  const letters = [...text].map((character) => {
    if (character === '/' && like.includes('\\/')) return '\\/';
    if (!escaped.has(character) && !(isAscii && character > '\x7f'))
      return JSON.stringify(character).slice(1, -1);
    const codes = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
    return codes.map((code) => `\\u${isUpper ? code.toUpperCase() : code}`).join('');
  });
  return `"${letters.join('')}"`;
}

export function renderJson(node: JsonNode, change: TextChange | null): string {
  const encoded = (text: string, raw: string) => `${/^\s*/.exec(raw)?.[0]}${encodeString(text, raw)}`;
  if (node.kind === 'word')
    return change ? node.raw.replace(/\S*\d\S*/, (number) => change.number(number)) : node.raw;
  if (node.kind === 'string') {
    if (node.inner !== null) return encoded(renderSegments(node.inner, change), node.raw);
    return change ? encoded(change.text(JSON.parse(node.raw) as string), node.raw) : node.raw;
  }
  const items = node.items
    .filter((item) => !item.cut || item.key === null)
    .map(({ key, value, cut }) => {
      if (cut) return 'null';
      if (key === null) return renderJson(value, change);
      const name = change ? encoded(change.key(JSON.parse(key.raw) as string), key.raw) : key.raw;
      return `${name}${key.colon}${renderJson(value, change)}`;
    });
  return `${node.open}${items.join(',')}${node.close}`;
}

export function renderSegments(segments: readonly Segment[], change: TextChange | null): string {
  return segments
    .map((one) => ('json' in one ? renderJson(one.json, change) : change ? change.text(one.text) : one.text))
    .join('');
}

/** Returns the items directly below the JSON values of a text, including those inside strings. */
export function itemsBelow(parts: readonly (Segment | Item)[]): Item[] {
  return parts.flatMap((part) => {
    if ('text' in part) return [];
    const node = 'json' in part ? part.json : part.value;
    if (node.kind === 'string') return node.inner === null ? [] : itemsBelow(node.inner);
    return node.kind === 'container' ? node.items : [];
  });
}
