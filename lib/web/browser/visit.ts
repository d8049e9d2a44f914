import type { BrowserContext, Page as BrowserPage, CDPSession, Request, Response } from 'playwright-core';
import { ExtractError } from '../../errors/extract-error.js';
import { pageHeaders } from '../headers.js';
import { bodyTooLarge, page as pageOf } from '../page.js';
import type { Page, PageRequestByScript, Site } from '../page-source.js';
import { PositionLost } from '../page-source.js';
import { isOnSite } from '../redirects.js';
import { BrowserGone, documentError } from './faults.js';
import { pressFirst, scrollToEnd, whenIdle } from './gestures.js';
import type { VisitLimits } from './limits.js';
import { type PageAnswer, PageWatch } from './page-watch.js';
import { holdsOne, isOfKind, isWantedPart, kindKey } from './sent-request.js';

/** How far one list of a page was handed over. */
interface ListState {
  /** Answers from here on count. */
  from: number;
  /** Index of the answer that was handed over last; -1 before the first. */
  given: number;
  /** True once the presses that open the list were made. */
  opened: boolean;
}

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;
const isMissing = (status: number) => status === 404 || status === 410;
const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : '');
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '');

/** One visit: a context of its own with one page, in which documents are opened and lists are gone through. */
export class Visit {
  readonly #site: Site;
  readonly #limits: VisitLimits;
  readonly #context: BrowserContext;
  readonly #page: BrowserPage;
  readonly #watch: PageWatch;
  readonly #lists = new Map<string, ListState>();
  #url: string | null = null;
  /** The document that was handed over for `#url`. */
  #document: Page | null = null;

  private constructor(site: Site, limits: VisitLimits, context: BrowserContext, page: BrowserPage) {
    this.#site = site;
    this.#limits = limits;
    this.#context = context;
    this.#page = page;
    this.#watch = new PageWatch(page, limits);
  }

  /** Opens a page in a context of its own. `otherHosts` are those that this site's pages may not reach. */
  static async begin(
    context: BrowserContext,
    site: Site,
    limits: VisitLimits,
    otherHosts: readonly string[],
  ): Promise<Visit> {
    const page = await context.newPage();
    const visit = new Visit(site, limits, context, page);
    context.on('page', (other) => void other.close().catch(() => undefined));
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
    const session: CDPSession = await context.newCDPSession(page);
    await visit.#watch.begin(session, otherHosts);
    return visit;
  }

  /** Address of the page that is open. */
  get url(): string | null {
    return this.#url;
  }

  /** Ends what is being waited for. */
  abandon(reason: unknown): void {
    this.#watch.end(reason);
  }

  async close(): Promise<void> {
    this.#watch.end(new BrowserGone('The visit is over.'));
    await this.#context.close();
  }

  /** True where a list stands open whose next part is the one that is asked for. */
  goesOnWith({ page }: Pick<PageRequestByScript, 'page'>): boolean {
    return this.#url === page && this.#lists.size > 0;
  }

  /**
   * The document at an address, opened by a visitor. The one that was served, unless the page's scripts made it whole:
   * then that which stands there now.
   */
  async open(url: string, holds: readonly string[], now: number): Promise<Page> {
    if (this.#url === url && this.#document !== null) return this.#document;
    this.#watch.check();
    this.#watch.leavePage();
    this.#lists.clear();
    this.#document = null;
    this.#url = url;
    const { documentMs } = this.#limits;
    try {
      await this.#watch.race(
        this.#page.goto(url, { waitUntil: 'commit', timeout: documentMs }),
        documentMs + 1000,
        'the document',
      );
    } catch (error) {
      const last = this.#watch.documents.at(-1);
      // A redirect that leads off the platform is not followed: it is the answer, as is one without a body.
      const isBare = /RESPONSE_CODE_FAILURE/.test(String(error)) || last?.status() === 204;
      if (last !== undefined && (isRedirect(last.status()) || isBare)) {
        this.#document = this.#pageFrom(last, new Uint8Array(), now);
        await this.#leaveRefusal();
        return this.#document;
      }
      if (error instanceof ExtractError || error instanceof BrowserGone) throw error;
      this.#watch.check();
      // The renderer may go down before the document is there.
      if (/ERR_ABORTED/.test(String(error))) throw new BrowserGone('The page broke down while it opened.');
      throw documentError(error, url);
    }
    this.#document = await this.#wholeDocument(holds, now);
    return this.#document;
  }

  /**
   * Leaves a refusal without a body. The page that Chromium shows in its place comes late, and would cut off what is
   * opened next. A page that does not let itself be left is not used again; the refusal stands.
   */
  async #leaveRefusal(): Promise<void> {
    const { gestureMs } = this.#limits;
    const options = { timeout: gestureMs };
    const blank = this.#page
      .goto('about:blank', options)
      .catch(() => this.#page.waitForURL('about:blank', options));
    await this.#watch.race(blank, gestureMs * 2 + 1000, 'leaving a refusal').catch((cause: unknown) => {
      this.#watch.end(new BrowserGone('The page stood still at a refusal.', { cause }));
    });
  }

  /** An answer that the open page is given to a request of its own, after the gestures of a visitor. */
  async answer(pageRequest: PageRequestByScript, now: number): Promise<Page> {
    const state = this.#listOf(pageRequest);
    const found = await this.#find(pageRequest, state);
    if (found !== null) {
      const body = await this.#bodyOf(found.response);
      if (body === null) throw new BrowserGone('The browser no longer keeps the answer.');
      state.given = this.#watch.answers.indexOf(found);
      return this.#pageFrom(found.response, body, now);
    }
    const isOthersThere = this.#answersOf(pageRequest, state).length > 0;
    if (pageRequest.from !== undefined && state.given < 0 && isOthersThere) throw new PositionLost();
    throw new ExtractError(
      'platform_blocked',
      isOthersThere
        ? 'The page did not load the next part of the list, although the list continues: it shows visitors no more.'
        : 'The page did not load this by itself, as it does for visitors who can see it.',
    );
  }

  #listOf(pageRequest: PageRequestByScript): ListState {
    const key = kindKey(pageRequest);
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const state = { from: 0, given: -1, opened: false };
    this.#lists.set(key, state);
    return state;
  }

  #answersOf(pageRequest: PageRequestByScript, { from }: ListState): PageAnswer[] {
    return this.#watch.answers.slice(from).filter((one) => isOfKind(one, pageRequest));
  }

  async #find(pageRequest: PageRequestByScript, state: ListState): Promise<PageAnswer | null> {
    const { gestures = {} } = pageRequest;
    const { gestureMs, scriptsMs } = this.#limits;
    const wanted = () => this.#answersOf(pageRequest, state).find((one) => isWantedPart(one, pageRequest));
    const isThere = () => wanted() !== undefined;
    if (!state.opened) {
      // What begins a list anew is pressed before anything counts.
      if (gestures.anew !== true && (await this.#settled(isThere, scriptsMs))) return wanted() ?? null;
      if (gestures.anew === true) await this.#watch.until(() => this.#watch.isLoaded, scriptsMs);
      state.opened = true;
      await this.#passWalls();
      for (const selector of gestures.open ?? []) {
        if (gestures.anew === true) state.from = this.#watch.answers.length;
        if (await this.#press(selector)) await this.#settled(isThere, gestureMs);
      }
    }
    const count = () => this.#answersOf(pageRequest, state).length;
    let fruitless = 0;
    for (let made = 0; fruitless < this.#limits.fruitless; made += 1) {
      if (isThere()) return wanted() ?? null;
      if (gestures.scroll === undefined && gestures.press === undefined) return null;
      if (made === this.#limits.gestures) {
        throw new ExtractError(
          'platform_changed',
          `The list was gone through for ${made} gestures, and continues.`,
        );
      }
      const before = count();
      await this.#gesture(gestures);
      const came = await this.#settled(() => count() > before, gestureMs);
      fruitless = came ? 0 : fruitless + 1;
      // The page is given the time to show what came: the next gesture begins where that ends.
      if (came && !isThere()) await this.#watch.until(() => false, gestureMs, this.#limits.showMs);
    }
    return wanted() ?? null;
  }

  /**
   * Waits until something is there, or until the page is at rest. At rest nothing is under way and its scripts have had
   * time. A slow machine then does not look like an end.
   */
  async #settled(isThere: () => boolean, ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    for (;;) {
      const left = end - performance.now();
      if (await this.#watch.until(isThere, Math.max(0, left))) return true;
      const before = this.#watch.activity;
      if (performance.now() >= end) return false;
      await this.#watch.race(whenIdle(this.#page), ms, 'the page').catch((error: unknown) => {
        // A page that is being left has no scripts to wait for.
        if (!this.#watch.isLeaving && !/context was destroyed|navigat/i.test(String(error))) throw error;
      });
      if (isThere()) return true;
      if (this.#watch.activity === before) return false;
    }
  }

  /** Presses the first visible element of a selector; false where there is none. */
  #press(selector: string): Promise<boolean> {
    const { pressMs: appearMs, gestureMs: pressMs } = this.#limits;
    const pressing = pressFirst(this.#page, selector, { appearMs, pressMs });
    return this.#watch.race(pressing, appearMs + pressMs * 2, 'a gesture');
  }

  async #gesture({ scroll, press }: { scroll?: string | undefined; press?: string | undefined }) {
    const { gestureMs } = this.#limits;
    if (scroll !== undefined) {
      await this.#watch.race(scrollToEnd(this.#page, scroll), gestureMs, 'scrolling');
    }
    if (press !== undefined) await this.#press(press);
  }

  /** Declines what the page asks before it shows itself, as a visitor would. */
  async #passWalls(): Promise<boolean> {
    let passed = false;
    for (const { host, press } of this.#site.browser?.walls ?? []) {
      if (host !== undefined && hostOf(this.#page.url()) !== host) continue;
      passed = (await this.#press(press)) || passed;
    }
    return passed;
  }

  /** The newest document of the page, waited for until it holds one of the texts. */
  async #wholeDocument(holds: readonly string[], now: number): Promise<Page> {
    const end = performance.now() + this.#limits.scriptsMs;
    let passedWall = false;
    for (;;) {
      const last = await this.#newest();
      // Before anything is waited for: its scripts may lead on to another document meanwhile.
      const count = this.#watch.documents.length;
      const onWall = this.#site.browser?.walls?.some(({ host }) => host === hostOf(last.url())) === true;
      const body = await this.#bodyOf(last);
      const served = this.#pageFrom(last, body ?? new Uint8Array(), now);
      if (!onWall && isMissing(served.status) && !this.#wasAskedFor(last)) {
        throw new ExtractError(
          'platform_blocked',
          'The page led to another address, where there is nothing.',
        );
      }
      if (!onWall && body !== null && holdsOne(served, holds)) return served;
      if (!onWall && (isMissing(served.status) || served.status === 429)) return served;
      if (onWall && passedWall) return served;
      if (onWall) {
        passedWall = true;
        await this.#watch.until(() => this.#watch.isLoaded, this.#limits.gestureMs);
        if (!(await this.#passWalls())) return served;
      }
      const left = Math.max(0, end - performance.now());
      if (await this.#settled(() => this.#watch.documents.length > count, left)) continue;
      if (onWall) return served;
      // Scripts may have made it whole. Where the browser let go of what was served, it is what there is.
      const rendered = await this.#rendered(last, now);
      if (rendered !== null) return body === null || holdsOne(rendered, holds) ? rendered : served;
      // It is being left for another document, which may be long in coming.
      const rest = Math.max(0, end - performance.now());
      if (await this.#watch.until(() => this.#watch.documents.length > count, rest, rest)) continue;
      if (body !== null) return served;
      throw new ExtractError('platform_timeout', 'The page leads on, and no document came in time.');
    }
  }

  /** True for the address that was opened, and for where the platform itself redirects it. */
  #wasAskedFor(document: Response): boolean {
    for (let request: Request | null = document.request(); request !== null; ) {
      if (pathOf(request.url()) === pathOf(this.#url ?? '')) return true;
      request = request.redirectedFrom();
    }
    return false;
  }

  /** The answer of the newest document that is no redirect. */
  async #newest(): Promise<Response> {
    const newest = () => this.#watch.documents.findLast((one) => !isRedirect(one.status()));
    await this.#watch.until(() => newest() !== undefined, this.#limits.documentMs, this.#limits.documentMs);
    const found = newest() ?? this.#watch.documents.at(-1);
    if (found === undefined) throw documentError('no document came', this.#url ?? '');
    return found;
  }

  /** The document as it stands once its scripts have run; null for one that is just being left. */
  async #rendered(last: Response, now: number): Promise<Page | null> {
    // Chromium gives no content of a page that is on its way to another (2026-11).
    if (this.#watch.isLeaving) return null;
    const content = this.#page.content().catch((error: unknown) => {
      if (/is navigating|context was destroyed/i.test(String(error))) return null;
      throw error;
    });
    const html = await this.#watch
      .race(content, this.#limits.gestureMs, 'the page')
      .catch((error: unknown) => {
        if (this.#watch.isLeaving) return null;
        throw error;
      });
    if (html === null) return null;
    const bytes = Buffer.from(html);
    if (bytes.byteLength > this.#site.maxBytes) throw bodyTooLarge(this.#site.maxBytes);
    const served = this.#pageFrom(last, bytes, now);
    return pageOf(
      served.url,
      served.status,
      { ...served.headers, 'content-type': 'text/html; charset=utf-8' },
      bytes,
    );
  }

  /** The body of an answer. Null where the browser has let go of it, as of a document that was left. */
  async #bodyOf(response: Response): Promise<Uint8Array | null> {
    const { maxBytes } = this.#site;
    const length = Number(response.headers()['content-length']);
    if (length > maxBytes) throw bodyTooLarge(maxBytes);
    if (isRedirect(response.status())) return new Uint8Array();
    const reading = response.body().catch((error: unknown) => {
      this.#watch.check();
      if (/No resource with given identifier|No data found/.test(String(error))) return null;
      throw error;
    });
    const { bodyMs, gestureMs } = this.#limits;
    const body = await this.#watch.race(reading, bodyMs, 'an answer').catch(async (error: unknown) => {
      if (!this.#watch.isLeaving) throw error;
      // Chromium keeps back what came, until the page is no longer being left (2026-11).
      await this.#watch.stopLeaving();
      return this.#watch.race(reading, gestureMs, 'an answer');
    });
    if (body !== null && body.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
    return body;
  }

  #pageFrom(response: Response, body: Uint8Array, now: number): Page {
    const url = response.url();
    // Where the page's own address has changed by a fragment or a script, the answer's address stands.
    if (!isRedirect(response.status()) && !isOnSite(hostOf(url), this.#site.hosts)) {
      throw new ExtractError('platform_blocked', 'The page led away from the platform.');
    }
    return pageOf(url, response.status(), pageHeaders(response.headers(), now), body);
  }
}
