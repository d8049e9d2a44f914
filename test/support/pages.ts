import { page } from '../../lib/web/page.js';
import type { Page } from '../../lib/web/page-source.js';

/** A page for a parser's test. */
export function pageOf(
  body: string,
  {
    url = 'https://www.google.com/maps',
    status = 200,
    headers = {},
  }: { url?: string; status?: number; headers?: Readonly<Record<string, string>> } = {},
): Page {
  return page(url, status, headers, Buffer.from(body));
}
