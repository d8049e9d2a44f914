import { headTags } from '../../read/html.js';
import { resolveReferences } from '../../read/html-text.js';

/** What the head of a page says about its subject, for link previews. */
export interface PageHead {
  /** `og:url`, or the page's address in any language. */
  readonly url: string | null;
  readonly title: string | null;
  readonly description: string | null;
  /** The description for search engines; a profile's continues with the biography. */
  readonly longDescription: string | null;
  /** `video`, `article` or `profile`. */
  readonly type: string | null;
  readonly image: string | null;
  readonly video: string | null;
  /** “Name (@handle) • Instagram reel”. */
  readonly kindTitle: string | null;
}

/** The address that a page declares for itself, among the addresses of its translations (2025-11 to 2026-03). */
function ownAddress(html: string): string | null {
  const links = headTags(html, 'link');
  const description =
    links.find((link) => link.get('rel') === 'canonical') ??
    links.find((link) => link.get('rel') === 'alternate' && link.get('hreflang') === 'x-default');
  return resolveReferences(description?.get('href') ?? '').trim() || null;
}

/** Reads the head of a page (2024-08 to 2026-03). Attributes come in any order; the first element of a name counts. */
export function headOf(html: string): PageHead {
  const metas = headTags(html, 'meta');
  const content = (name: string) => {
    const tag = metas.find((meta) => meta.get('property') === name || meta.get('name') === name);
    return resolveReferences(tag?.get('content') ?? '').trim() || null;
  };
  return {
    url: content('og:url') ?? ownAddress(html),
    title: content('og:title'),
    description: content('og:description'),
    longDescription: content('description'),
    type: content('og:type'),
    image: content('og:image'),
    video: content('og:video') ?? content('og:video:secure_url'),
    kindTitle: content('twitter:title'),
  };
}
