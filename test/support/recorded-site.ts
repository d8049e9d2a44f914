import type { Page, PageRequest, PageSource } from '../../lib/web/page-source.js';
import type { Answers, SiteAnswer } from './browser-site.js';

/** One request of a reader, and its answer. */
export interface Exchange {
  readonly request: PageRequest;
  readonly page: Page;
}

/** The source with a record of its requests. */
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

function answerOf({ status, headers, body }: Page): SiteAnswer {
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

/** Elements for gestures, by the readers' selectors. */
const elements: Readonly<Record<string, string>> = {
  '[role="feed"]': '<div role="feed" class="part"><p></p></div>',
  '.review-dialog-list': '<div class="review-dialog-list part"><p></p></div>',
  '[role="main"] [tabindex="-1"]': '<div role="main"><div tabindex="-1" class="part"><p></p></div></div>',
  'button[jsaction*="heroHeaderImage"]': '<button jsaction="pane.heroHeaderImage.click">picture</button>',
  ':is(button, [role="button"]):has(svg[aria-label*="more comments" i])':
    '<button class="more"><svg aria-label="Load more comments" width="9" height="9"></svg>more</button>',
  '[data-e2e="comment-icon"]': '<button data-e2e="comment-icon">comments</button>',
};

/**
 * A script that makes a page request what its readers need. The beginning of a list when it is opened, or when its
 * order is chosen. Each later part when the end is scrolled to, or “more” is pressed.
 */
function askingPart(requests: readonly PageRequest[]): string {
  const calls = requests.map(({ url, method = 'GET', headers = {}, body, browser }) => {
    const { 'content-type': type } = headers;
    const init = { method, body, headers: type === undefined ? {} : { 'content-type': type } };
    return { url, init, later: browser?.pageRequest?.from !== undefined };
  });
  const gestures = requests.flatMap(({ browser }) => browser?.pageRequest?.gestures ?? []);
  const elementNames = gestures.flatMap(({ open = [], scroll, press }) => [
    ...open,
    scroll ?? 'page',
    press ?? 'page',
  ]);
  const order = gestures.find(({ restarts: fresh }) => fresh === true)?.open?.[0];
  const parts = [...new Set(elementNames)].map((one) => elements[one] ?? '').join('');
  const sorts = order === undefined ? '' : `<button ${order.replace(/[[\]]/g, '')}>order</button>`;
  return `<style>.part { height: 300px; overflow: auto; } .part p, .tall { height: 3000px; }</style>${sorts}${parts}
<div class="tall"></div><script>{
const all = ${JSON.stringify(calls).replaceAll('<', '\\u003c')};
const later = all.filter((one) => one.later);
let busy = false;
const send = async ({ url, init }) => (await fetch(url, init)).arrayBuffer();
const more = async () => {
  if (busy || later.length === 0) return;
  busy = true;
  await send(later.shift());
  busy = false;
};
const begin = async () => { for (const one of all) if (!one.later) await send(one); };
const order = document.querySelector('[data-sort-id]');
if (order === null) begin();
else {
  // Requests in the page's own order do not count.
  fetch(all[0].url + '&decoy=1');
  order.onclick = begin;
}
addEventListener('scroll', more);
for (const part of document.querySelectorAll('.part')) part.addEventListener('scroll', more);
for (const button of document.querySelectorAll('.more')) button.onclick = more;
}</script>`;
}

/**
 * A site that answers as the exchanges did. A browser reads this from a request that the page itself sends. The
 * recorded one, or one that is there for it alone.
 */
export function recordedSite(exchanges: readonly Exchange[]): Answers {
  const byScripts = exchanges.filter(({ request }) => request.browser?.pageRequest !== undefined);
  const documents = exchanges.filter(({ request }) => request.browser?.pageRequest === undefined);
  return ({ host, path, query, method, body }) => {
    const address = `https://${host}${path}${query.size > 0 ? `?${query}` : ''}`;
    const isThis = (url: string) =>
      new URL(withoutFragment(url)).href === new URL(address).href || same(url, address);
    const exchange = byScripts.find(
      ({ request }) =>
        same(request.url, address) && (request.method ?? 'GET') === method && (request.body ?? '') === body,
    );
    if (exchange !== undefined) return answerOf(exchange.page);
    const asks = byScripts
      .filter(({ request }) => isThis(request.browser?.pageRequest?.page ?? 'about:blank'))
      .map(({ request }) => request);
    const document =
      documents.find(({ request, page }) => isThis(page.url) && !isThis(request.url)) ??
      documents.find(({ request }) => isThis(request.url));
    if (document !== undefined) {
      const { request, page } = document;
      if (isThis(request.url) && !isThis(page.url)) return { status: 302, headers: { location: page.url } };
      const answer = answerOf(page);
      return asks.length === 0 ? answer : { ...answer, body: `${answer.body}${askingPart(asks)}` };
    }
    if (asks.length === 0) return undefined;
    const holds = asks.flatMap(({ browser }) => browser?.holds ?? []).join('\n');
    return { body: `<!doctype html><!-- ${holds} -->${askingPart(asks)}` };
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
