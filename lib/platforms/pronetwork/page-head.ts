import { ExtractError } from '../../errors/extract-error.js';
import { headTags } from '../../read/html.js';
import type { Page } from '../../web/page-source.js';
import { isA, organisations, pagesOf, type Thing } from './json-ld.js';
import { type PageName, pageOfUrl } from './urls.js';

export interface PageHead {
  /** The platform's own name for the kind of page, such as `public_profile_v3_desktop`; null on a stub. */
  readonly pageKey: string | null;
  /** Set by the service behind sign-in pages. */
  readonly appName: string | null;
  readonly description: string | null;
  /** Language of the page, such as `en_US`; independent of the host. */
  readonly language: string | null;
  /** Addresses that the page gives for itself, the canonical one first. */
  readonly addresses: readonly string[];
  /** The platform's notes on the page, such as `emptyResult=false`. */
  readonly tags: readonly string[];
  /** True if the page loads another one (`http-equiv=refresh`). */
  readonly refreshes: boolean;
}

/** Reads the head of a page (2024-2026). Attributes come in any order; scripts in between are ignored. */
export function headOf(html: string): PageHead {
  const metas = headTags(html, 'meta');
  const contents = (key: string, value: string) =>
    metas.flatMap((meta) => (meta.get(key) === value && meta.get('content')) || []);
  const content = (key: string, value: string) => contents(key, value)[0] ?? null;
  const canonical = headTags(html, 'link').filter((link) => link.get('rel') === 'canonical');
  return {
    pageKey: content('name', 'pageKey'),
    appName: content('name', 'appName'),
    description: content('name', 'description'),
    language: content('name', 'locale'),
    addresses: [
      ...canonical.flatMap((link) => link.get('href') || []),
      ...contents('property', 'og:url'),
      ...contents('property', 'lnkd:url'),
    ],
    tags: (content('name', 'linkedin:pageTag') ?? '').split(';'),
    refreshes: metas.some((meta) => meta.get('http-equiv')?.toLowerCase() === 'refresh'),
  };
}

/** Returns the pages of the persons and organisations in the JSON-LD. */
const described = (things: readonly Thing[]) =>
  things
    .filter((thing) => isA(thing, 'Person') || organisations.some((type) => isA(thing, type)))
    .flatMap(pagesOf);

const pagesAt = (addresses: readonly string[]) =>
  addresses.flatMap((one) => pageOfUrl(one.startsWith('/') ? `https://www.linkedin.com${one}` : one) ?? []);

/** True for the requested name, or the new name after a redirect. */
const isRequested = (page: Page, requested: PageName) => (name: PageName) =>
  (name.kind === 'in') === (requested.kind === 'in') &&
  (name.vanity === requested.vanity || name.vanity === pageOfUrl(page.url)?.vanity);

/** Throws `platform_changed` for a page whose head names another person or company. */
export function refuseOtherSubject(page: Page, head: PageHead, requested: PageName): void {
  const isRequestedPage = isRequested(page, requested);
  const other = pagesAt(head.addresses).find((name) => !isRequestedPage(name));
  if (other === undefined) return;
  throw new ExtractError(
    'platform_changed',
    `The page is about ${other.vanity}, not about ${requested.vanity}.`,
  );
}

/**
 * Returns the person or company that a page is about, from its head or its JSON-LD. Throws `platform_changed` for a
 * page about another or about two, or that does not say.
 */
export function requireIdentity(
  page: Page,
  head: PageHead,
  requested: PageName,
  things: readonly Thing[],
): PageName {
  refuseOtherSubject(page, head, requested);
  const [requestedThing = described(things).find(isRequested(page, requested))] = pagesAt(head.addresses);
  if (requestedThing !== undefined) return requestedThing;
  throw new ExtractError('platform_changed', `The page does not say that it is about ${requested.vanity}.`);
}

export function refuseTwoSubjects(tops: readonly string[]): void {
  if (tops.length < 2) return;
  throw new ExtractError('platform_changed', 'The page is about two subjects.');
}
