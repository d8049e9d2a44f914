import type { Json } from '../../../lib/read/json.js';

/** A part of an answer that was omitted to save space. */
export interface Truncation {
  /** Where: `data[2].description`. */
  readonly path: string;
  readonly kind: 'text' | 'list';
  /** In characters or items. */
  readonly total: number;
  /** In characters or items. */
  readonly shown: number;
}

export interface CondensedAnswer {
  readonly data: Json;
  readonly truncations: readonly Truncation[];
}

interface TruncationLimits {
  readonly maxText: number;
  /** Items of lists inside objects. */
  readonly maxInnerItems: number;
  /** Items of the answer itself, if it is a list. */
  readonly maxItems: number;
}

/** Some 8,000 tokens, well below where clients truncate. */
export const maxDataLength = 24_000;

/** Texts are never cut below this length. */
const minTextLength = 100;

/** Characters of an address that is never cut. */
const maxAddressLength = 4096;

const address = /^https?:\/\/\S+$/i;

function truncateText(text: string, limit: number): string {
  // Half a surrogate pair is not a character.
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

/** Returns how many leading items of a list fit, at least one. */
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
 * Truncates an answer's data to `maxDataLength`. Texts are cut to `textLimit`, and lists to the remaining space. If
 * an object is still too large, its texts are cut further, then its lists. `truncations` lists every cut.
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
