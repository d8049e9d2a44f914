import pLimit from 'p-limit';
import { ExtractError } from '../../errors/extract-error.js';
import { CallAbort, type CallSignal } from '../../runtime/abort.js';
import type { Clock } from '../../runtime/clock.js';
import { type Cooldown, isRefusal } from '../cooldown.js';
import type { Pace } from '../pace.js';
import type { Page, PageRequest, PageSession, SessionOptions, Site } from '../page-source.js';
import { isGone } from './browser-process.js';
import { holdsOne } from './sent-request.js';
import type { OpenVisit, Visits } from './visits.js';

/** What all sessions of the browser with one platform share. */
export interface BrowserAccess {
  readonly visits: Visits;
  readonly pace: Pick<Pace, 'run'>;
  readonly cooldown: Cooldown;
  readonly clock: Clock;
}

const sessionEnded = new DOMException('The visit is over.', 'AbortError');

/** A session whose requests are pages that a browser opens, and what those ask for by themselves. */
export class BrowserSession implements PageSession {
  readonly runsPages = true;
  readonly #access: BrowserAccess;
  readonly #site: Site;
  readonly #caller: string;
  readonly #goesOn: boolean;
  readonly #abort: CallAbort;
  readonly #began: number;
  /** One thing at a time is done on a page. */
  readonly #turn = pLimit(1);
  #open: OpenVisit | undefined;
  #ended = false;
  /** True after the cool-down stopped a visit: its error must not count as another refusal. */
  #stoppedByCooldown = false;
  /** True once part of a list was handed over: the next part is worth waiting for. */
  #inList = false;

  constructor(
    access: BrowserAccess,
    site: Site,
    signal: CallSignal | undefined,
    { caller = '', goesOn = false }: SessionOptions,
  ) {
    this.#access = access;
    this.#site = site;
    this.#caller = caller;
    this.#goesOn = goesOn;
    this.#abort = new CallAbort(signal);
    this.#began = access.clock.now();
    this.#abort.addEventListener('abort', () => this.#open?.visit.abandon(this.#abort.reason));
  }

  fetch(request: PageRequest): Promise<Page> {
    return this.#turn(() => this.#fetch(request));
  }

  /** The page's own requests carry the cookies; no other has a use for them. */
  cookie(): null {
    return null;
  }

  end(error?: unknown, goesOn = false): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#abort.unlink();
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) {
      const { visits } = this.#access;
      void (error === undefined && goesOn && this.#inList ? visits.rest(open) : visits.end(open));
    }
    if (this.#stoppedByCooldown) return;
    const { cooldown } = this.#access;
    if (isRefusal(error)) cooldown.recordRefusal(error.code, error.retryAfter);
    else if (error === undefined || (error instanceof ExtractError && error.type === 'not_found')) {
      cooldown.recordAnswer(this.#began);
    }
  }

  async #fetch(request: PageRequest): Promise<Page> {
    for (let broken = 0; ; broken += 1) {
      this.#check();
      try {
        return await this.#answer(request);
      } catch (error) {
        this.#check();
        if (!isGone(error)) throw error;
        await this.#giveUp();
        if (broken > 0) {
          throw new ExtractError(
            'platform_timeout',
            'The browser broke down twice while it showed the page.',
            { cause: error },
          );
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
      throw new ExtractError('platform_blocked', 'No page is known that loads this by itself.');
    }
    const address = pageRequest?.page ?? request.url;
    const { visit } = await this.#visitFor(address);
    const now = this.#access.clock.now();
    const open = () => visit.open(address, holds, now);
    const document = await (visit.url === address ? open() : this.#paced(open));
    if (pageRequest === undefined) return document;
    // A page that is refused itself asks for nothing: it is the answer, and tells why.
    if (document.status >= 300 || !holdsOne(document, holds)) return document;
    const answer = await visit.answer(pageRequest, now);
    this.#inList = true;
    return answer;
  }

  /** Opens a document at the platform's pace. */
  #paced(open: () => Promise<Page>): Promise<Page> {
    const { pace, cooldown } = this.#access;
    return pace.run(() => {
      try {
        cooldown.check();
      } catch (refusal) {
        this.#stoppedByCooldown = true;
        throw refusal;
      }
      return open();
    }, this.#abort);
  }

  /** The visit of this session, begun where there is none. */
  async #visitFor(address: string): Promise<OpenVisit> {
    if (this.#open !== undefined) return this.#open;
    const { visits } = this.#access;
    const resumed = this.#goesOn ? await visits.resume(this.#site, address) : undefined;
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
    if (open !== undefined) await this.#access.visits.end(open);
  }
}
