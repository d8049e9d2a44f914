import { ExtractError } from '../../errors/extract-error.js';
import { headTags } from '../../read/html.js';
import type { Page } from '../../web/page-source.js';
import { type PageName, pageOfUrl } from './urls.js';

/** What the head of a page says of it. */
export interface PageHead {
  /** The platform's own name for the kind of page, such as `public_profile_v3_desktop`; null on a stub. */
  readonly pageKey: string | null;
  /** Set by the service behind sign-in pages. */
  readonly appName: string | null;
  readonly description: string | null;
  /** Language that the page is worded in, such as `en_US`; it does not follow from the host. */
  readonly language: string | null;
  /** Addresses by which the page names itself, the canonical one first. */
  readonly addresses: readonly string[];
  /** What the platform notes of the page, such as `emptyResult=false`. */
  readonly tags: readonly string[];
  /** The page loads another one by itself (`http-equiv=refresh`). */
  readonly refreshes: boolean;
}

/** The head of a page (2024-2026). Attributes stand in any order; scripts between them count for nothing. */
export function headOf(html: string): PageHead {
  const metas = headTags(html, 'meta');
  const content = (key: string, value: string) =>
    metas.find((meta) => meta.get(key) === value)?.get('content') || null;
  const canonical = headTags(html, 'link').find((link) => link.get('rel') === 'canonical');
  const addresses = [canonical?.get('href'), content('property', 'og:url'), content('property', 'lnkd:url')];
  return {
    pageKey: content('name', 'pageKey'),
    appName: content('name', 'appName'),
    description: content('name', 'description'),
    language: content('name', 'locale'),
    addresses: addresses.flatMap((one) => (one ? [one] : [])),
    tags: (content('name', 'linkedin:pageTag') ?? '').split(';'),
    refreshes: metas.some((meta) => meta.get('http-equiv')?.toLowerCase() === 'refresh'),
  };
}

/** The person or company that a page says it is about, or null where it does not say. */
export function identityOf(head: PageHead): PageName | null {
  for (const address of head.addresses) {
    const page = pageOfUrl(address.startsWith('/') ? `https://www.linkedin.com${address}` : address);
    if (page !== null) return page;
  }
  return null;
}

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
