import type { BrowserContext, CDPSession } from 'playwright-core';
import { ExtractError } from '../../errors/extract-error.js';
import { page } from '../page.js';
import type { Page, PageRequestByScript, Site } from '../page-source.js';
import { BrowserClosed, documentError } from './faults.js';
import type { VisitLimits } from './limits.js';
import { ListWalk, type TakeTurn } from './list-walk.js';
import { bodyOf, isRedirect, type OpenPage, pageFrom, pathOf } from './open-page.js';
import { PageWatch } from './page-watch.js';
import { kindKey } from './sent-request.js';
import { completeDocument } from './whole-document.js';

const withoutFragment = (url: string) => url.replace(/#.*/s, '');

/**
 * Opens an address. Returns the response if there is no document to wait for: a redirect that leaves the platform,
 * which is not followed, or a refusal without a body.
 */
async function goTo(open: OpenPage, url: string, now: number): Promise<Page | null> {
  const { page, watch, limits } = open;
  const timeout = limits.documentMs;
  const options = { waitUntil: 'commit', timeout } as const;
  // Changing only the fragment requests no document.
  const stays = url.includes('#') && withoutFragment(page.url()) === withoutFragment(url);
  const going = page.goto(url, options).then(() => (stays ? page.reload(options) : null));
  try {
    await watch.race(going, timeout + 1000, 'the document');
    return null;
  } catch (error) {
    const last = watch.documents.at(-1);
    const isBare =
      /RESPONSE_CODE_FAILURE|INVALID_AUTH_CREDENTIALS/.test(String(error)) || last?.status() === 204;
    if (last !== undefined && (isRedirect(last.status()) || isBare)) {
      const answer = pageFrom(open, last, new Uint8Array(), now);
      await leaveRefusal(open);
      return answer;
    }
    if (error instanceof ExtractError || error instanceof BrowserClosed) throw error;
    watch.check();
    // The renderer may crash before the document arrives.
    if (/ERR_ABORTED/.test(String(error))) throw new BrowserClosed('The page crashed while it opened.');
    throw documentError(error, url);
  }
}

/**
 * Leaves a refusal without a body. The error page that Chromium shows instead arrives late and would interrupt the next
 * navigation. If leaving fails, the page is not reused; the refusal is returned either way.
 */
async function leaveRefusal({ page, watch, limits }: OpenPage): Promise<void> {
  const { gestureMs } = limits;
  const options = { timeout: gestureMs };
  const blank = page.goto('about:blank', options).catch(() => page.waitForURL('about:blank', options));
  await watch.race(blank, gestureMs * 2 + 1000, 'leaving a refusal').catch((cause: unknown) => {
    watch.end(new BrowserClosed('The page hung at a refusal.', { cause }));
  });
}

/** A JSON string, from its opening quotation mark. */
const jsonText = /"[^"\\]*(?:\\.[^"\\]*)*"/y;

function decoded(text: string): string | null {
  try {
    return JSON.parse(text) as string;
  } catch {
    // The string belongs to a script of the page and ends elsewhere.
    return null;
  }
}

function* textsOf(document: string, begins: string): Generator<string> {
  for (let at = -1; ; ) {
    at = document.indexOf(`"${begins}`, at + 1);
    if (at < 0) return;
    // Inside another string: scanning each of these to its end would be quadratic.
    if (document[at - 1] === '\\') continue;
    jsonText.lastIndex = at;
    const text = decoded(jsonText.exec(document)?.[0] ?? '');
    if (text !== null) yield text;
  }
}

/**
 * Returns the first part of a list as embedded in the document: the longest string that matches, because pages also
 * repeat a shortened copy. Null if none matches.
 */
function shownPart(document: Page, { from, embedded: marks }: PageRequestByScript): Page | null {
  if (from !== undefined || marks === undefined) return null;
  const [longest] = [...textsOf(document.text(), marks.begins)]
    .filter((text) => marks.carries.every((sign) => text.includes(sign)))
    .sort((one, other) => other.length - one.length);
  if (longest === undefined) return null;
  const headers = { ...document.headers, 'content-type': 'application/json; charset=utf-8' };
  return page(document.url, document.status, headers, Buffer.from(longest));
}

/** Removes the parameter for the start of a list part from an address. */
function withoutBeginning(address: string): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) if (/start$/i.test(name)) url.searchParams.delete(name);
  return url.href;
}

/** One visit: a browser context with one page, used to open documents and walk lists. */
export class Visit {
  readonly #context: BrowserContext;
  readonly #open: OpenPage;
  readonly #lists = new Map<string, ListWalk>();
  #url: string | null = null;
  #taken = 0;
  #document: Page | null = null;

  private constructor(context: BrowserContext, open: OpenPage) {
    this.#context = context;
    this.#open = open;
  }

  /** Opens a page in a new context. `otherHosts` are the hosts that this site's pages may not reach. */
  static async begin(
    context: BrowserContext,
    site: Site,
    limits: VisitLimits,
    otherHosts: readonly string[],
  ): Promise<Visit> {
    const page = await context.newPage();
    const watch = new PageWatch(page, limits);
    context.on('page', (other) => void other.close().catch(() => undefined));
    page.on('dialog', (dialog) => {
      // Confirms leaving a page that asks visitors to stay.
      const closing = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
      closing.catch(() => undefined);
    });
    const session: CDPSession = await context.newCDPSession(page);
    await watch.begin(session, otherHosts);
    return new Visit(context, { page, watch, site, limits });
  }

  takeBytes(): number {
    const { bytes } = this.#open.watch;
    const since = bytes - this.#taken;
    this.#taken = bytes;
    return since;
  }

  get url(): string | null {
    return this.#url;
  }

  abandon(reason: unknown): void {
    this.#open.watch.end(reason);
  }

  async close(): Promise<void> {
    this.#open.watch.end(new BrowserClosed('The visit is over.'));
    await this.#context.close();
  }

  /** True if the open page's list continues with that address. */
  continuesWith(address: string): boolean {
    if (this.#url === null || this.#lists.size > 0) return this.#url === address;
    return withoutBeginning(this.#url) === withoutBeginning(address);
  }

  /**
   * Opens an address like a visitor and returns its document: as served or, if scripts completed it, as rendered.
   * Throws `LedElsewhere` if it must be opened `again`.
   */
  async open(url: string, holds: readonly string[], now: number, again = false): Promise<Page> {
    if (this.#url === url && this.#document !== null) return this.#document;
    const { watch } = this.#open;
    watch.check();
    watch.leavePage();
    this.#lists.clear();
    this.#document = null;
    this.#url = url;
    const bare = await goTo(this.#open, url, now);
    this.#document = bare ?? (await completeDocument(this.#open, { url, holds, again }, now));
    return this.#document;
  }

  /**
   * Returns a response to one of the open page's own requests, after the gestures of a visitor, or the part that the
   * page itself contains.
   */
  async answer(pageRequest: PageRequestByScript, now: number, takeTurn: TakeTurn): Promise<Page> {
    const list = this.#listOf(pageRequest);
    const part = this.#document === null ? null : shownPart(this.#document, pageRequest);
    return part ?? list.answer(pageRequest, now, takeTurn);
  }

  /** Returns the document under another path to which the address or its page redirected; null for none. */
  async ledTo(now: number): Promise<Page | null> {
    const last = this.#open.watch.documents.findLast((one) => !isRedirect(one.status()));
    if (last === undefined || pathOf(last.url()) === pathOf(this.#url ?? '')) return null;
    if (last.url() === this.#document?.url) return this.#document;
    const body = await bodyOf(this.#open, last);
    return body && pageFrom(this.#open, last, body, now);
  }

  #listOf(pageRequest: PageRequestByScript): ListWalk {
    const key = kindKey(pageRequest);
    const list = this.#lists.get(key) ?? new ListWalk(this.#open, pageRequest);
    this.#lists.set(key, list);
    return list;
  }
}
