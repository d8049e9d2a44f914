import { urlOrNull } from '../../read/convert.js';

/**
 * Returns the full-size address of a picture. The text after the last `=` is the size to serve (`=w203-h152-k-no`);
 * `=s0` is the picture as uploaded.
 */
export function fullSizeUrl(value: unknown): string | null {
  const url = urlOrNull(value);
  if (url === null) return null;
  return url.replace(/=[swh]\d[^=/?#]*$/, '=s0');
}

/**
 * Returns the address of a place's own site. Place bodies link through the platform's redirect (`/url?q=…`), search
 * rows directly (2024-10 to 2026-08).
 */
export function websiteOrNull(value: unknown): string | null {
  const address = urlOrNull(value, 'https://www.google.com');
  if (address === null || !address.includes('/url?')) return address;
  const { hostname, pathname, searchParams } = new URL(address);
  if (pathname !== '/url' || !/(?:^|\.)google\.(?:(?!google\.)[a-z.])+$/.test(hostname)) return address;
  return urlOrNull(searchParams.get('q') ?? searchParams.get('url'));
}

/** Returns the address of a reviewer's page: one on the map, not of a picture. */
export function profileUrlOrNull(value: unknown): string | null {
  const url = urlOrNull(value);
  return url !== null && /^https:\/\/(?:www|maps)\.google\.[a-z.]+\/maps\//.test(url) ? url : null;
}

/** Returns the address of a review on the map, or null. */
export function reviewUrlOrNull(value: unknown): string | null {
  const url = urlOrNull(value);
  return url !== null && /^https:\/\/(?:www|maps)\.google\.[a-z.]+\/maps\/reviews\//.test(url) ? url : null;
}
