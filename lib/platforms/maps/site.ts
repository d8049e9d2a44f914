import type { Site } from '../../web/page-source.js';

/** How to request maps (2026-09). Bodies have 130-190 KB, formatted with white space 850 KB. */
export const site = {
  platform: 'maps',
  brand: 'Google Maps',
  alias: 'google-maps',
  hosts: [
    'www.google.com',
    'google.com',
    'maps.google.com',
    'search.google.com',
    'consent.google.com',
    'maps.app.goo.gl',
    'goo.gl',
    'g.co',
    'g.page',
    'share.google',
  ],
  headers: { accept: '*/*', 'accept-language': 'en' },
  surfaces: { page: { ms: 1000, concurrency: 2 } },
  maxBytes: 5 * 1024 * 1024,
  media: {
    hosts: [
      'lh3.googleusercontent.com',
      'lh4.googleusercontent.com',
      'lh5.googleusercontent.com',
      'lh6.googleusercontent.com',
      '.ggpht.com',
      'streetviewpixels-pa.googleapis.com',
    ],
    fields: { maps_photo: ['url'], maps_review: ['photos.url'] },
    pace: { ms: 250, concurrency: 2 },
  },
  browser: {
    hosts: ['.gstatic.com', 'apis.google.com', 'maps.googleapis.com'],
    // “Reject all”: the form of the wall that sets essential cookies only.
    walls: [
      {
        host: 'consent.google.com',
        press:
          'form[action$="/save"]:has(input[name="set_eom"][value="true"]) :is(button, input[type="submit"])',
      },
    ],
  },
} as const satisfies Site;
