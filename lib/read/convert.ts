import { isoTime } from './iso-time.js';

/**
 * Converters from anything a page may contain to a valid value or null. None of them guesses: a value that does not fit
 * the field is unknown.
 */

/** Text without surrounding white space; "" is null. Lone surrogates become U+FFFD, so the text can be sent. */
export function textOrNull(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' ? null : text.toWellFormed();
}

/** Text as is, including "", for the few fields that the contract does not allow to be null. */
export function textOrEmpty(value: unknown): string | null {
  return typeof value === 'string' ? value.toWellFormed() : null;
}

/** An identifier: a non-empty string, or a safe integer as text (a larger one has already lost digits). */
export function idOrNull(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  return textOrNull(value);
}

/** A whole number, as a number or as decimal digits; beyond 2^53 it is null. */
export function intOrNull(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** A count: a whole number from 0 up. Platforms print negative numbers for “unknown” and on overflow. */
export function countOrNull(value: unknown): number | null {
  const number = intOrNull(value);
  return number === null || number < 0 ? null : number;
}

/** The first count among several values. 0 next to another number is unknown (reported since 2020). */
export function firstCount(...values: readonly unknown[]): number | null {
  const counts = values.map(countOrNull).filter((count) => count !== null);
  return counts.find((count) => count !== 0) ?? counts[0] ?? null;
}

/** A finite number, as a number or as decimal text. */
export function numberOrNull(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** true or false, and nothing that merely resembles them. */
export function boolOrNull(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

const earliest = Date.UTC(1990, 0, 1);
const latest = Date.UTC(2100, 0, 1);

function iso(milliseconds: number): string | null {
  if (!(milliseconds >= earliest && milliseconds < latest)) return null;
  return isoTime(milliseconds);
}

/** Unix time in seconds, milliseconds or microseconds → ISO 8601 UTC; outside 1990..2100 null. */
export function isoFromUnix(value: unknown, unit: 's' | 'ms' | 'us' = 's'): string | null {
  const number = numberOrNull(value);
  if (number === null) return null;
  return iso(Math.floor(unit === 's' ? number * 1000 : unit === 'ms' ? number : number / 1000));
}

/** A date text with a time and a zone → ISO 8601 UTC. A date alone means midnight UTC; anything else is null. */
export function isoFromText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/i.test(text)) return null;
  const at = Date.parse(text);
  // Date.parse turns a nonexistent day (31 February) into an existing one.
  const day = Date.parse(text.slice(0, 10));
  if (Number.isNaN(at) || new Date(day).toISOString().slice(0, 10) !== text.slice(0, 10)) return null;
  return iso(at);
}

/**
 * A URL that every parser accepts: its host has plain labels and ends in letters, so it is not an IP address, and
 * nothing after the host can be invalid. Encoded labels (xn--) can be invalid.
 */
const ordinaryUrl = /^https?:\/\/(?![^/?#]*xn--)(?:[a-z\d-]+\.)+[a-z]{2,63}(?:[/?#]\S*)?$/;

/**
 * An absolute http(s) URL, or null. A link without a scheme (`example.org/me`) gets https, as does `//host`. A path
 * alone is resolved against `base`, if there is one.
 */
export function urlOrNull(value: unknown, base?: string): string | null {
  const text = textOrNull(value);
  // Matches almost every page in one test instead of six.
  if (text === null || ordinaryUrl.test(text)) return text;
  if (/\s/.test(text)) return null;
  let url = text;
  if (text.startsWith('//')) url = `https:${text}`;
  else if (text.startsWith('/')) {
    if (base === undefined) return null;
    url = URL.canParse(text, base) ? new URL(text, base).href : '';
  } else if (!/^[a-z][a-z0-9+.-]*:/i.test(text) || /^[\w.-]+\.[a-z]{2,}:\d+/i.test(text)) {
    if (!/^[^/?#@]+\.[^/?#@]+/.test(text)) return null;
    url = `https://${text}`;
  }
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  return url;
}
