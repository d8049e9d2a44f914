import type { Json } from '../../lib/read/json.js';

/** Something that was left out of an answer to make it fit. */
export interface Cut {
  /** Where: `data[2].description`. */
  readonly path: string;
  readonly kind: 'text' | 'list';
  /** Characters or items there are. */
  readonly whole: number;
  /** Characters or items that are shown. */
  readonly shown: number;
}

export interface Condensed {
  readonly data: Json;
  readonly cuts: readonly Cut[];
}

interface Bounds {
  readonly text: number;
  /** Items of lists inside the objects. */
  readonly inner: number;
  /** Items of the list that is the answer. */
  readonly outer: number;
}

/** Characters of JSON that an answer may take: some 8,000 tokens, well under what clients cut off themselves. */
export const roomForData = 24_000;

/** What texts are cut to in the end where nothing else makes the answer fit. */
const shortest = 100;

/** A longer one is no address that anybody serves. */
const longestAddress = 4096;

const address = /^https?:\/\/\S+$/i;

function cutText(text: string, limit: number): string {
  // Half a surrogate pair is no character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}…`;
}

function cut(value: Json, path: string, bounds: Bounds, cuts: Cut[]): Json {
  if (typeof value === 'string') {
    const limit = address.test(value) ? longestAddress : bounds.text;
    if (value.length <= limit) return value;
    const text = cutText(value, limit);
    cuts.push({ path, kind: 'text', whole: value.length, shown: text.length - 1 });
    return text;
  }
  if (Array.isArray(value)) {
    const limit = path === 'data' ? bounds.outer : bounds.inner;
    if (value.length > limit) cuts.push({ path, kind: 'list', whole: value.length, shown: limit });
    return value.slice(0, limit).map((item, index) => cut(item, `${path}[${index}]`, bounds, cuts));
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, cut(field, `${path}.${key}`, bounds, cuts)]),
    );
  }
  return value;
}

function within(data: Json, bounds: Bounds): Condensed {
  const cuts: Cut[] = [];
  return { data: cut(data, 'data', bounds, cuts), cuts };
}

const sizeOf = ({ data }: Condensed) => JSON.stringify(data).length;

/** As many leading items of the list as there is room for, one at least. */
function itemsThatFit(list: readonly Json[], bounds: Bounds): number {
  let room = roomForData;
  let count = 0;
  for (const item of list) {
    room -= JSON.stringify(cut(item, 'data[]', bounds, [])).length + 1;
    if (room < 0) break;
    count += 1;
  }
  return Math.max(1, count);
}

/**
 * Makes the data of an answer fit: texts are cut to `textLimit`, a list ends where the room ends, and an object
 * that is still too large loses the ends of its texts and then of the lists inside it. Nothing else changes; what
 * was cut is told.
 */
export function condense(data: Json, textLimit: number): Condensed {
  let bounds: Bounds = { text: textLimit, inner: Number.POSITIVE_INFINITY, outer: Number.POSITIVE_INFINITY };
  let condensed = within(data, bounds);
  if (sizeOf(condensed) <= roomForData) return condensed;
  if (Array.isArray(data)) {
    bounds = { ...bounds, outer: itemsThatFit(data, bounds) };
    condensed = within(data, bounds);
  }
  for (let inner = 64; sizeOf(condensed) > roomForData && inner >= 1; ) {
    if (bounds.text > shortest) bounds = { ...bounds, text: Math.max(shortest, Math.floor(bounds.text / 2)) };
    else {
      bounds = { ...bounds, inner };
      inner = Math.floor(inner / 2);
    }
    condensed = within(data, bounds);
  }
  return condensed;
}
