/** A JSON text as written, with its white space and escapes, so that a changed text preserves its layout. */
export type JsonNode =
  | { readonly kind: 'word'; readonly raw: string }
  | { readonly kind: 'string'; readonly raw: string; readonly inner: readonly Segment[] | null }
  | { readonly kind: 'list' | 'object'; readonly items: Item[] };

/** A list's element or an object's member, with the white space around it. */
export interface Item {
  readonly lead: string;
  /** The member's key as written, with what precedes its value; null in a list. */
  readonly key: { readonly raw: string; readonly colon: string } | null;
  readonly value: JsonNode;
  readonly trail: string;
  /** `cut` removes a member, but writes `null` for an element, whose index may matter. */
  cut: boolean;
}

/** Text between JSON values, or such a value. */
export type Segment = { readonly text: string } | { readonly json: JsonNode };

const space = /[ \t\n\r]*/y;
const word = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const stringText = /"(?:[^"\\\p{Cc}]|\\.)*"/suy;
const maxDepth = 400;

class Reader {
  at = 0;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text)?.[0];
    if (match === undefined) return null;
    this.at += match.length;
    return match;
  }

  value(depth: number): JsonNode | null {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first !== '{' && first !== '[') {
      const raw = this.take(word);
      return raw === null ? null : { kind: 'word', raw };
    }
    return depth > maxDepth ? null : this.container(first, depth);
  }

  string(): JsonNode | null {
    const raw = this.take(stringText);
    if (raw === null) return null;
    try {
      return { kind: 'string', raw, inner: nestedSegments(JSON.parse(raw) as string) };
    } catch {
      return null;
    }
  }

  container(open: string, depth: number): JsonNode | null {
    const [kind, close] = open === '{' ? (['object', '}'] as const) : (['list', ']'] as const);
    const items: Item[] = [];
    this.at += 1;
    for (;;) {
      const lead = this.take(space) ?? '';
      if (items.length === 0 && this.text[this.at] === close) {
        this.at += 1;
        return { kind, items };
      }
      let key: Item['key'] = null;
      if (kind === 'object') {
        const raw = this.take(stringText);
        const colon = raw === null ? null : this.take(/[ \t\n\r]*:[ \t\n\r]*/y);
        if (raw === null || colon === null) return null;
        key = { raw, colon };
      }
      const value = this.value(depth + 1);
      if (value === null) return null;
      items.push({ lead, key, value, trail: this.take(space) ?? '', cut: false });
      const next = this.text[this.at];
      this.at += 1;
      if (next === close) return { kind, items };
      if (next !== ',') return null;
    }
  }
}

/** Splits a text into JSON values and what is between them: a guard, lengths, an assignment. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  const opening = /[[{]/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const reader = new Reader(text);
    reader.at = match.index;
    const json = reader.value(0);
    if (json === null) continue;
    if (match.index > from) segments.push({ text: text.slice(from, match.index) });
    segments.push({ json });
    from = reader.at;
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
  if (node.kind === 'word') return change && /\d/.test(node.raw) ? change.number(node.raw) : node.raw;
  if (node.kind === 'string') {
    if (node.inner !== null) return encodeString(renderSegments(node.inner, change), node.raw);
    return change ? encodeString(change.text(JSON.parse(node.raw) as string), node.raw) : node.raw;
  }
  const [open, close] = node.kind === 'list' ? '[]' : '{}';
  const items = node.items
    .filter((item) => !item.cut || item.key === null)
    .map(({ lead, key, value, trail, cut }) => {
      if (cut) return `${lead}null${trail}`;
      const raw =
        key && (change ? encodeString(change.key(JSON.parse(key.raw) as string), key.raw) : key.raw);
      return `${lead}${key ? `${raw}${key.colon}` : ''}${renderJson(value, change)}${trail}`;
    });
  return `${open}${items.join(',')}${close}`;
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
    return node.kind === 'word' ? [] : node.items;
  });
}
