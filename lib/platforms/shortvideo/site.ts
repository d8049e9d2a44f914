import type { Site } from '../../web/page-source.js';

/** The body of a 503 for lack of capacity (since 2026-09-24), and the seconds that clients have settled on waiting. */
export const overloadWords = 'overload-protect';
export const overloadSeconds = 60;

/** How to request shortvideo (2026-09). Pages are 370-545 KB. */
export const site = {
  platform: 'shortvideo',
  brand: 'TikTok',
  alias: 'tiktok',
  hosts: [
    'tiktok.com',
    'www.tiktok.com',
    'm.tiktok.com',
    'us.tiktok.com',
    't.tiktok.com',
    'vm.tiktok.com',
    'vt.tiktok.com',
    'tiktokv.com',
    'www.tiktokv.com',
    'tiktokv.us',
    'www.tiktokv.us',
  ],
  headers: {
    accept: 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8',
    'accept-language': 'en',
  },
  surfaces: {
    page: { ms: 3000, concurrency: 1 },
    embed: { ms: 3000, concurrency: 1 },
    discover: { ms: 3000, concurrency: 1 },
    api: { ms: 5000, concurrency: 1 },
    oembed: { ms: 3000, concurrency: 1 },
    link: { ms: 3000, concurrency: 1 },
  },
  overload: { words: overloadWords, waitMs: overloadSeconds * 1000 },
  maxBytes: 5 * 1024 * 1024,
  media: {
    hosts: [
      '.tiktok.com',
      '.tiktokcdn.com',
      '.tiktokcdn-us.com',
      '.tiktokcdn-eu.com',
      '.tiktokv.com',
      '.ttwstatic.com',
    ],
    fields: { shortvideo_profile: ['avatar_url'], shortvideo_video: ['cover_image_url', 'play_url'] },
    captions: 'shortvideo_video',
    pace: { ms: 500, concurrency: 2 },
  },
  browser: { hosts: ['.ttwstatic.com', '.tiktokcdn.com', '.tiktokcdn-us.com', '.tiktokcdn-eu.com'] },
  pageNames: /"(webapp\.[\w.-]{1,80})":/g,
} as const satisfies Site;
