import type { Site } from '../../web/page-source.js';

/**
 * How to request photosocial (2026-10). Pages are 0.6-1 MB. The `sec-fetch` headers say that a visitor opens an
 * address. The platform serves pages without data when they are missing. Shells without data begin at about 75 pages an
 * hour, which the pace stays short of for a listing.
 */
export const site = {
  platform: 'photosocial',
  brand: 'Instagram',
  alias: 'instagram',
  hosts: ['instagram.com', 'www.instagram.com', 'instagr.am', 'www.instagr.am'],
  headers: {
    accept: 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8',
    'accept-language': 'en',
    'sec-fetch-dest': 'document',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
    'upgrade-insecure-requests': '1',
  },
  surfaces: {
    page: { ms: 6000, concurrency: 1, perHour: 60 },
    embed: { ms: 3000, concurrency: 1 },
    document: { ms: 3000, concurrency: 1 },
  },
  maxBytes: 6 * 1024 * 1024,
  media: {
    hosts: ['.cdninstagram.com', '.fbcdn.net'],
    fields: { photosocial_post: ['media_url', 'children.media_url'] },
    pace: { ms: 500, concurrency: 2 },
  },
  browser: {
    hosts: ['.cdninstagram.com', '.fbcdn.net'],
    // The page stands still under its question about cookies (EU, 2026).
    walls: [{ press: ':is(button, [role="button"]):text-matches("^\\s*decline optional cookies", "i")' }],
  },
  documentHeader: 'x-fb-friendly-name',
  pageNames: /"canonicalRouteName":"(?:comet\.igweb\.)?([\w.]{1,80})"/g,
} as const satisfies Site;
