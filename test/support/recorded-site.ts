import type { Page, PageRequest, PageSource } from '../../lib/web/page-source.js';
import type { Answers, Given } from './browser-site.js';

/** One request of a reader, and what it was answered. */
export interface Exchange {
  readonly request: PageRequest;
  readonly page: Page;
}

/** The source, noting what is asked of it. */
export function noting(source: PageSource, exchanges: Exchange[]): PageSource {
  return {
    open(site, signal) {
      const session = source.open(site, signal);
      return {
        ...session,
        async fetch(request) {
          const page = await session.fetch(request);
          exchanges.push({ request, page });
          return page;
        },
      };
    },
    close: () => source.close(),
  };
}

const withoutFragment = (address: string) => address.replace(/#.*/, '');

function given({ status, headers, body }: Page): Given {
  const { 'content-type': type, location } = headers;
  return {
    status,
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(location === undefined ? {} : { location }),
    },
    body: Buffer.from(body).toString('latin1'),
  };
}

/** A script that sends the readers' own requests, one after the other: what pages ask for by themselves. */
function scriptOf(requests: readonly PageRequest[]): string {
  const sent = requests.map(({ url, method = 'GET', headers = {}, body }) => {
    const { 'content-type': type } = headers;
    return { url, init: { method, body, headers: type === undefined ? {} : { 'content-type': type } } };
  });
  const list = JSON.stringify(sent).replaceAll('<', '\\u003c');
  return `<script>(async () => { for (const { url, init } of ${list}) await (await fetch(url, init)).arrayBuffer(); })()</script>`;
}

/**
 * A site that answers as the exchanges did. What a browser reads from a page's own request is asked by that page: the
 * recorded one, or one that is there for it alone.
 */
export function recordedSite(exchanges: readonly Exchange[]): Answers {
  const asked = exchanges.filter(({ request }) => request.browser?.asked !== undefined);
  const documents = exchanges.filter(({ request }) => request.browser?.asked === undefined);
  return ({ host, path, query, method, body }) => {
    const address = `https://${host}${path}${query.size > 0 ? `?${query}` : ''}`;
    const isThis = (url: string) =>
      new URL(withoutFragment(url)).href === new URL(address).href || same(url, address);
    const own = asked.find(
      ({ request }) =>
        same(request.url, address) && (request.method ?? 'GET') === method && (request.body ?? '') === body,
    );
    if (own !== undefined) return given(own.page);
    const asks = asked
      .filter(({ request }) => isThis(request.browser?.asked?.page ?? 'about:blank'))
      .map(({ request }) => request);
    const document =
      documents.find(({ request, page }) => isThis(page.url) && !isThis(request.url)) ??
      documents.find(({ request }) => isThis(request.url));
    if (document !== undefined) {
      const { request, page } = document;
      if (isThis(request.url) && !isThis(page.url)) return { status: 302, headers: { location: page.url } };
      const answer = given(page);
      return asks.length === 0 ? answer : { ...answer, body: `${answer.body}${scriptOf(asks)}` };
    }
    if (asks.length === 0) return undefined;
    const holds = asks.flatMap(({ browser }) => browser?.holds ?? []).join('\n');
    return { body: `<!doctype html><!-- ${holds} -->${scriptOf(asks)}` };
  };
}

/** True for the same address, however its query is written. */
function same(one: string, other: string): boolean {
  const [a, b] = [new URL(withoutFragment(one)), new URL(withoutFragment(other))];
  a.searchParams.sort();
  b.searchParams.sort();
  return (
    a.origin === b.origin &&
    decodeURI(a.pathname) === decodeURI(b.pathname) &&
    `${a.searchParams}` === `${b.searchParams}`
  );
}
