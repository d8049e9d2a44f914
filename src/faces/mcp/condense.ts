import type { Json } from '../../../lib/read/json.js';

/** Something that was left out of an answer to make it fit. */
export interface Truncation {
  /** Where: `data[2].description`. */
  readonly path: string;
  readonly kind: 'text' | 'list';
  /** Characters or items there are. */
  readonly total: number;
  /** Characters or items that are shown. */
  readonly shown: number;
}

export interface CondensedAnswer {
  readonly data: Json;
  readonly truncations: readonly Truncation[];
}

interface TruncationLimits {
  readonly maxText: number;
  /** Items of lists inside the objects. */
  readonly maxInnerItems: number;
  /** Items of the list that is the answer. */
  readonly maxItems: number;
}

/** Characters of JSON that an answer may take: some 8,000 tokens, well under what clients cut off themselves. */
export const maxDataLength = 24_000;

/** Texts are cut to no fewer characters than these, however little room there is. */
const minTextLength = 100;

/** Characters of an address that is left whole. */
const maxAddressLength = 4096;

const address = /^https?:\/\/\S+$/i;

function truncateText(text: string, limit: number): string {
  // Half a surrogate pair is no character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}…`;
}

function truncate(value: Json, path: string, limits: TruncationLimits, truncations: Truncation[]): Json {
  if (typeof value === 'string') {
    const limit = address.test(value) ? maxAddressLength : limits.maxText;
    if (value.length <= limit) return value;
    const text = truncateText(value, limit);
    truncations.push({ path, kind: 'text', total: value.length, shown: text.length - 1 });
    return text;
  }
  if (Array.isArray(value)) {
    const limit = path === 'data' ? limits.maxItems : limits.maxInnerItems;
    if (value.length > limit) truncations.push({ path, kind: 'list', total: value.length, shown: limit });
    return value
      .slice(0, limit)
      .map((item, index) => truncate(item, `${path}[${index}]`, limits, truncations));
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [
        key,
        truncate(field, `${path}.${key}`, limits, truncations),
      ]),
    );
  }
  return value;
}

function truncateData(data: Json, limits: TruncationLimits): CondensedAnswer {
  const truncations: Truncation[] = [];
  return { data: truncate(data, 'data', limits, truncations), truncations };
}

const sizeOf = ({ data }: CondensedAnswer) => JSON.stringify(data).length;

/** As many leading items of the list as there is room for, one at least. */
function countFittingItems(list: readonly Json[], limits: TruncationLimits): number {
  let remaining = maxDataLength;
  let count = 0;
  for (const item of list) {
    remaining -= JSON.stringify(truncate(item, 'data[]', limits, [])).length + 1;
    if (remaining < 0) break;
    count += 1;
  }
  return Math.max(1, count);
}

/**
 * Makes the data of an answer fit into `maxDataLength`. Texts are cut to `textLimit`, and a list ends where the room
 * ends. An object that is still too large loses the ends of its texts and then of its lists. `truncations` lists every
 * cut.
 */
export function condense(data: Json, textLimit: number): CondensedAnswer {
  let limits: TruncationLimits = {
    maxText: textLimit,
    maxInnerItems: Number.POSITIVE_INFINITY,
    maxItems: Number.POSITIVE_INFINITY,
  };
  let condensed = truncateData(data, limits);
  if (sizeOf(condensed) <= maxDataLength) return condensed;
  if (Array.isArray(data)) {
    limits = { ...limits, maxItems: countFittingItems(data, limits) };
    condensed = truncateData(data, limits);
  }
  for (let inner = 64; sizeOf(condensed) > maxDataLength && inner >= 1; ) {
    if (limits.maxText > minTextLength)
      limits = { ...limits, maxText: Math.max(minTextLength, Math.floor(limits.maxText / 2)) };
    else {
      limits = { ...limits, maxInnerItems: inner };
      inner = Math.floor(inner / 2);
    }
    condensed = truncateData(data, limits);
  }
  return condensed;
}
