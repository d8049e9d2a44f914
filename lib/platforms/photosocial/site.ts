import type { Site } from '../../web/page-source.js';

/**
 * How to request photosocial (2026-11). Pages have 0.6-1 MB; after about 75 of them in an hour, only shells without
 * data are served. Embed pages have 90-140 KB. The two document paths refuse independently.
 */
export const site = {
  platform: 'photosocial',
  brand: 'Instagram',
  alias: 'instagram',
  hosts: ['instagram.com', 'www.instagram.com', 'instagr.am', 'www.instagr.am'],
  headers: {
    accept: 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8',
    'accept-language': 'en',
  },
  surfaces: {
    page: { ms: 6000, concurrency: 1, perHour: 60 },
    embed: { ms: 3000, concurrency: 1 },
    document: { ms: 3000, concurrency: 1 },
    query: { ms: 3000, concurrency: 1 },
  },
  maxBytes: 6 * 1024 * 1024,
  media: {
    hosts: ['.cdninstagram.com', '.fbcdn.net'],
    fields: { photosocial_post: ['media_url', 'children.media_url'] },
    pace: { ms: 500, concurrency: 2 },
  },
  browser: {
    hosts: ['.cdninstagram.com', '.fbcdn.net'],
    // The page is inert behind its cookie dialog (EU, 2026).
    walls: [{ press: ':is(button, [role="button"]):text-matches("^\\s*decline optional cookies", "i")' }],
  },
  documentHeader: 'x-fb-friendly-name',
  pageNames: /"canonicalRouteName":"(?:comet\.igweb\.)?([\w.]{1,80})"/g,
} as const satisfies Site;
