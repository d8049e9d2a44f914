import type { Site } from '../../lib/web/page-source.js';

/** A site for tests: a platform's name with hosts, pace and bound of the test's own. */
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
