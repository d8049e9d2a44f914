import { ExtractError } from '../../errors/extract-error.js';
import type { Page } from '../../web/page-source.js';
import { identityOf, type PageHead } from './page-head.js';
import { type PageName, pageOfUrl } from './urls.js';

/**
 * The person or company that a page is about. After a redirect to a new name, that is the new one. Throws
 * `platform_changed` for a page about another person or company than requested.
 */
export function refuseOtherIdentity(page: Page, head: PageHead, requested: PageName): PageName {
  const identity = identityOf(head);
  const finalName = pageOfUrl(page.url);
  if (identity === null) return finalName ?? requested;
  if (identity.vanity === requested.vanity || identity.vanity === finalName?.vanity) return identity;
  throw new ExtractError(
    'platform_changed',
    `The page is about ${identity.vanity}, not about ${requested.vanity}.`,
  );
}
