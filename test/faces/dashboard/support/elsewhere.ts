import type { Page } from './browser.js';

/** Links that a test of one part does not follow: other parts, and documentation of the tests' own endpoints. */
export function elsewhere({ $ }: Page): string[] {
  const parts = ['', '/keys', '/requests', '/usage', '/jobs', '/playground', '/packs', '/settings'];
  const searches = $('a[href^="/dashboard/requests?"]').toArray();
  return [
    ...parts.map((name) => `/dashboard${name}`),
    '/docs/endpoints',
    ...searches.map(({ attribs }) => attribs.href ?? ''),
  ];
}
