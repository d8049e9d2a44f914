import { page } from '../../../lib/web/page.js';

/** Ways to take things out of pages of pronetwork, for tests. */

/** The page without every element that begins with one of these tags, as far as its first end tag. */
export function withoutElements(html: string, ...tags: readonly RegExp[]): string {
  return tags.reduce((text, tag) => {
    const name = /^<([a-z0-9]+)/.exec(tag.source)?.[1] as string;
    return text.replace(new RegExp(`${tag.source}[\\s\\S]*?</${name}>`, 'g'), '');
  }, html);
}

/** The page without an attribute of every tag that matches. */
export function withoutAttribute(html: string, tag: RegExp, attribute: string): string {
  return html.replace(new RegExp(`${tag.source}[^>]*>`, 'g'), (element) =>
    element.replace(new RegExp(`\\s${attribute}="[^"]*"`), ''),
  );
}

/** The page with the things of its JSON-LD changed. */
export function changedLd(html: string, change: (thing: Record<string, unknown>) => void): string {
  return html.replace(
    /(<script type="application\/ld\+json">)([\s\S]*?)(<\/script>)/g,
    (_, open: string, json: string, close: string) => {
      const root = JSON.parse(json) as Record<string, unknown>;
      const graph = root['@graph'];
      for (const thing of Array.isArray(graph) ? graph : [root]) change(thing as Record<string, unknown>);
      return open + JSON.stringify(root) + close;
    },
  );
}

/** The page with keys taken out of every thing of its JSON-LD. */
export function withoutLd(html: string, ...keys: readonly string[]): string {
  return changedLd(html, (thing) => {
    for (const key of keys) delete thing[key];
  });
}

export const site = 'https://www.linkedin.com';

export const ld = (thing: unknown) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`;

/** The text of a page that says its kind and its address. */
export const htmlOf = (url: string, pageKey: string, body: string, head = '') =>
  `<html><head><meta name="pageKey" content="${pageKey}"><link rel="canonical" href="${url}">${head}</head><body><main>${body}</main></body></html>`;

export const pageOf = (url: string, html: string, status = 200) => page(url, status, {}, Buffer.from(html));

const pageKeys = {
  in: 'public_profile_v3_desktop',
  company: 'd_org_guest_company_overview',
  feed: 'd_public_post',
  jobs: 'd_jobs_guest_search',
  job: 'd_jobs_guest_details',
};

/** A page of a kind at a path of the platform. */
export const sitePage = (kind: keyof typeof pageKeys, path: string, body: string, head = '') =>
  pageOf(`${site}/${path}`, htmlOf(`${site}/${path}`, pageKeys[kind], body, head));

export const heading = (name: string) =>
  `<section class="top-card-layout"><h1 class="top-card-layout__title">${name}</h1></section>`;
