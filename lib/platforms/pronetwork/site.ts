import type { PageRequest, Site } from '../../web/page-source.js';

/**
 * How to request pronetwork (2026-09). Full pages are 130-750 KB. About fifty requests in three minutes led to hours of
 * refusal; thirty, seven to eight seconds apart, led to none.
 */
export const site = {
  platform: 'pronetwork',
  brand: 'LinkedIn',
  alias: 'linkedin',
  hosts: ['.linkedin.com'],
  headers: {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-language': 'en-US,en;q=0.9',
    'upgrade-insecure-requests': '1',
  },
  surfaces: {
    page: { ms: 8000, concurrency: 1 },
    guest: { ms: 3000, concurrency: 1 },
    embed: { ms: 3000, concurrency: 1 },
  },
  maxBytes: 5 * 1024 * 1024,
  media: {
    hosts: ['.licdn.com'],
    fields: { pronetwork_post: ['images.url', 'video.url', 'video.thumbnail_url'] },
    pace: { ms: 500, concurrency: 2 },
  },
  browser: { hosts: ['.licdn.com'] },
  pageNames: /<meta name="pageKey" content="([\w-]{1,80})"/g,
} as const satisfies Site;

/**
 * Requests a complete page. A browser waits for its page key, because a script may precede the page and redirect to it
 * (2025-2026).
 */
export const pageRequest = (url: string): PageRequest => ({
  url,
  browser: { holds: ['name="pageKey"'] },
});

/** Requests a part of a list, bare markup. The same script as on pages may precede it. */
export const fragmentRequest = (url: string): PageRequest => ({ url, browser: { holds: ['<li'] } });
