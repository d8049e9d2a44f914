import type { Site } from '../../lib/web/page-source.js';

/** A test site: a platform's name with the test's own hosts, pace and bound. */
export function testSite(over: Partial<Site> = {}): Site {
  return {
    platform: 'shortvideo',
    brand: 'TikTok',
    alias: 'tiktok',
    hosts: ['127.0.0.1', 'localhost'],
    headers: { accept: 'text/html', 'accept-language': 'en' },
    surfaces: { page: { ms: 0, concurrency: 8 } },
    maxBytes: 100_000,
    ...over,
  };
}
