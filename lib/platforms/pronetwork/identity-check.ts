import { ExtractError } from '../../errors/extract-error.js';
import type { Page } from '../../web/page-source.js';
import { type Head, selfOf } from './page-head.js';
import { type PageName, pageOfUrl } from './urls.js';

/**
 * The person or company that a page is about, after a redirect to a new name the new one. Throws
 * `platform_changed` for a page about another than asked for: nobody gets somebody else's data.
 */
export function refuseOther(page: Page, head: Head, asked: PageName): PageName {
  const self = selfOf(head);
  const led = pageOfUrl(page.url);
  if (self === null) return led ?? asked;
  if (self.vanity === asked.vanity || self.vanity === led?.vanity) return self;
  throw new ExtractError('platform_changed', `The page is about ${self.vanity}, not about ${asked.vanity}.`);
}
