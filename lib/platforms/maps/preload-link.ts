import { refusal } from '../../errors/outcomes.js';
import { refuseByStatus } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';

const links = /<link\s[^<>]*?href="([^"<]{1,8000})"/g;

const decode = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

/**
 * Returns the data request that a page of the map preloads: the platform's own `pb`. Throws `platform_blocked` for a
 * page without it.
 */
export function preloadLink(page: Page, path: string): string {
  refuseByStatus(page);
  for (const [, href = ''] of page.text().matchAll(links)) {
    const url = URL.parse(decode(href), page.url);
    if (url?.pathname === path && url.searchParams.has('pb') && url.origin === new URL(page.url).origin) {
      return url.href;
    }
  }
  throw refusal('shell', 'The page does not contain the request for its data.');
}
