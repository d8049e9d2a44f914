import type { Page } from '../web/page-source.js';

/**
 * The body in UTF-8: the bytes as they came, or re-encoded where the answer names another charset. For pages
 * of which only a small part is decoded.
 */
export function utf8Of(page: Page): Buffer {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(page.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') return Buffer.from(page.text());
  return Buffer.from(page.body.buffer, page.body.byteOffset, page.body.byteLength);
}
