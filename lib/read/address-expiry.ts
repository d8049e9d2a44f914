/**
 * The expiry time in a signed address: `oe` of photosocial in hexadecimal seconds, `x-expires` and `expire` of
 * shortvideo, `e` of pronetwork, and shortvideo's folder after a digest of 32 digits (2025-12 to 2026-10).
 */
const end = /[?&](?:(?:e|expire|x-expires)=(\d{10})|oe=([\da-f]{8}))(?!\w)|\/[\da-f]{32}\/([\da-f]{8})\//gi;

/**
 * Returns the seconds until the first address in a text expires; `seconds` if none expires earlier. Addresses that had
 * expired on arrival do not count, because a new answer would contain them, too.
 */
export function secondsToExpiry(text: string, now: number, seconds: number): number {
  let min = seconds;
  for (const [, decimal, ...hexadecimal] of text.matchAll(end)) {
    const at = decimal === undefined ? Number.parseInt(hexadecimal.join(''), 16) : Number(decimal);
    const remaining = Math.floor(at - now / 1000);
    if (remaining > 0 && remaining < min) min = remaining;
  }
  return min;
}
