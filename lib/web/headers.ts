/**
 * Returns the seconds in a `Retry-After` header: a number, or an HTTP date relative to `now` (milliseconds). Null for a
 * missing or unreadable header.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!/[a-z]/i.test(text)) return null;
  // The oldest date format names no zone; HTTP dates are in GMT.
  const at = Date.parse(/(?<![a-z])[a-z]+\s+\d{1,2}\s+[\d:]{8}\s+\d{4}$/i.test(text) ? `${text} GMT` : text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

/** Headers from a connection or a recording; repeated headers are lists. */
export type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Withheld from readers: the session stores cookies, and the others describe the encoded body. */
const withheld: ReadonlySet<string> = new Set(['set-cookie', 'content-encoding', 'content-length']);

/** Returns the headers that readers see. A date in `retry-after` is resolved against `now` (milliseconds). */
export function pageHeaders(raw: RawHeaders, now: number): Record<string, string> {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(raw)) {
    const key = name.toLowerCase();
    if (value === undefined || withheld.has(key)) continue;
    if (key !== 'retry-after') {
      headers.push([key, typeof value === 'string' ? value : value.join(', ')]);
      continue;
    }
    const seconds = retryAfterSeconds(typeof value === 'string' ? value : value[0], now);
    if (seconds !== null) headers.push([key, String(seconds)]);
  }
  return Object.fromEntries(headers);
}

export function headerValues(raw: RawHeaders, name: string): readonly string[] {
  const values: string[] = [];
  for (const key of Object.keys(raw)) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const value = raw[key] ?? [];
    if (typeof value === 'string') values.push(value);
    else values.push(...value);
  }
  return values;
}
