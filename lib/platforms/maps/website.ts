import { urlOrNull } from '../../read/convert.js';

/**
 * Address of a place's own site. Place bodies lead through the platform's redirect (`/url?q=…`), search rows
 * give the address itself (2024-10 to 2026-08).
 */
export function websiteOrNull(value: unknown): string | null {
  const address = urlOrNull(value, 'https://www.google.com');
  if (address === null || !address.includes('/url?')) return address;
  const { hostname, pathname, searchParams } = new URL(address);
  if (pathname !== '/url' || !/(^|\.)google\.[a-z.]+$/.test(hostname)) return address;
  return urlOrNull(searchParams.get('q') ?? searchParams.get('url'));
}
