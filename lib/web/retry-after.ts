/**
 * Seconds that a `Retry-After` header asks for: a number of seconds, or an HTTP date measured against `now`
 * (milliseconds). Null for a missing or unreadable header.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!/[a-z]/i.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
