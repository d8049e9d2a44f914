import pLimit from 'p-limit';
import { ExtractError } from '../../errors/extract-error.js';
import { CallAbort, type CallSignal, whileWaiting } from '../../runtime/abort.js';
import type { Clock } from '../../runtime/clock.js';
import type { Page, PageRequest, PageSession, SessionOptions, Site } from '../page-source.js';
import type { ThrottledSession } from '../throttle.js';
import { isBrowserClosed } from './browser-process.js';
import { hasPassed } from './faults.js';
import { holdsOne } from './sent-request.js';
import type { OpenVisit, Visits } from './visits.js';
import { LedElsewhere } from './whole-document.js';

interface BrowserAccess {
  readonly visits: Visits;
  readonly throttle: ThrottledSession;
  readonly clock: Clock;
}

const sessionEnded = new DOMException('The visit is over.', 'AbortError');

/** Milliseconds for a network change to complete: address, link and routes change one after another. */
const changesMs = 2000;

/** The page refused to show the data. */
const isWithheld = ({ code }: ExtractError) => code === 'platform_blocked' || code === 'platform_restricted';

/** A session whose requests are pages in a browser, and the requests of those pages. */
export class BrowserSession implements PageSession {
  readonly runsPages = true;
  readonly #access: BrowserAccess;
  readonly #site: Site;
  readonly #caller: string;
  readonly #continues: boolean;
  readonly #readsOn: boolean;
  readonly #abort: CallAbort;
  /** A page performs one operation at a time. */
  readonly #turn = pLimit(1);
  #open: OpenVisit | undefined;
  #ended = false;

  constructor(
    access: BrowserAccess,
    site: Site,
    signal: CallSignal | undefined,
    { caller = '', continues = false, readsOn = continues }: SessionOptions,
  ) {
    this.#access = access;
    this.#site = site;
    this.#caller = caller;
    this.#continues = continues;
    this.#readsOn = readsOn;
    this.#abort = new CallAbort(signal);
    this.#abort.addEventListener('abort', () => this.#open?.visit.abandon(this.#abort.reason));
  }

  fetch(request: PageRequest): Promise<Page> {
    return this.#turn(() => this.#fetch(request));
  }

  /** The page's own requests carry the cookies, and no other request needs them. */
  cookie(): null {
    return null;
  }

  end(error?: unknown, continues = false): unknown {
    if (this.#ended) return error;
    this.#ended = true;
    this.#abort.unlink();
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) {
      const { visits, throttle } = this.#access;
      throttle.addBytes(open.visit.takeBytes());
      void (error === undefined && continues ? visits.rest(open, this.#readsOn) : visits.end(open));
    }
    return this.#access.throttle.end(error);
  }

  async #fetch(request: PageRequest): Promise<Page> {
    for (let broken = 0; ; broken += 1) {
      this.#check();
      try {
        return await this.#answer(request);
      } catch (error) {
        this.#check();
        if (!isBrowserClosed(error) && !hasPassed(error)) throw error;
        await this.#giveUp();
        if (broken > 0) {
          if (hasPassed(error)) throw error;
          throw new ExtractError('platform_timeout', 'The browser crashed twice while it showed the page.', {
            cause: error,
          });
        }
        if (hasPassed(error)) {
          const { clock } = this.#access;
          await whileWaiting(this.#abort, (abort) => clock.sleep(changesMs, abort));
        }
      }
    }
  }

  #check(): void {
    if (this.#ended) throw sessionEnded;
    this.#abort.throwIfAborted();
  }

  async #answer(request: PageRequest): Promise<Page> {
    const { pageRequest, holds = [] } = request.browser ?? {};
    if (pageRequest === undefined && request.method === 'POST') {
      throw new ExtractError('platform_blocked', 'No page is known to load this.');
    }
    const address = pageRequest?.page ?? request.url;
    const { throttle, clock } = this.#access;
    // Checked before a browser is started.
    await throttle.check();
    const { visit } = await this.#visitFor(address);
    const now = clock.now();
    const open = (again = false) => visit.open(address, holds, now, again);
    const paced = (again: boolean) => throttle.run(() => open(again), this.#abort);
    const document = await (visit.url === address ? open() : paced(false)).catch((error: unknown) => {
      if (error instanceof LedElsewhere) return paced(true);
      throw error;
    });
    if (pageRequest === undefined) return document;
    // A refused page sends no further requests, so it is the response.
    if (document.status >= 300 || !holdsOne(document, holds)) return document;
    const takeTurn = () => throttle.run(async () => {}, this.#abort);
    try {
      return await visit.answer(pageRequest, now, takeTurn);
    } catch (error) {
      if (!(error instanceof ExtractError && isWithheld(error))) throw error;
      // A page reached by redirect, such as a login page, explains why.
      const elsewhere = await visit.ledTo(now);
      if (elsewhere === null) throw error;
      return elsewhere;
    }
  }

  /** Returns this session's visit, opening one if needed. */
  async #visitFor(address: string): Promise<OpenVisit> {
    if (this.#open !== undefined) return this.#open;
    const { visits } = this.#access;
    const resumed = this.#continues ? await visits.resume(this.#site, address) : undefined;
    const open = resumed ?? (await visits.begin(this.#site, this.#caller, this.#abort));
    if (this.#ended || this.#abort.aborted) {
      await visits.end(open);
      this.#check();
    }
    this.#open = open;
    return open;
  }

  async #giveUp(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    this.#access.throttle.addBytes(open.visit.takeBytes());
    await this.#access.visits.end(open);
  }
}
