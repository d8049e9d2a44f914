import type { CDPSession, Page, Request, Response } from 'playwright-core';
import { ExtractError } from '../../errors/extract-error.js';
import { BrowserClosed, documentError, isPassing } from './faults.js';
import type { VisitLimits } from './limits.js';
import type { SentRequest } from './sent-request.js';

export interface PageAnswer extends SentRequest {
  readonly response: Response;
}

/** Types of requests whose responses are data; the others are parts of the page. */
const dataTypes: ReadonlySet<string> = new Set(['xhr', 'fetch', 'other', 'eventsource']);
/** Types of requests that must finish before a page is complete. */
const waitedFor: ReadonlySet<string> = new Set(['document', 'script', 'xhr', 'fetch']);
const notLoaded = ['Image', 'Media', 'Font'] as const;
/** The browser's own requests, such as for the page's icon (Chromium 156). */
const ownRequest = 'Other' as const;

const sentRequest = (request: Request): SentRequest => ({ url: request.url(), body: request.postData() });

/**
 * Tracks the events of a page: the documents and responses received, whether it is idle, and what ended the visit.
 * Blocks images, media, fonts and the given hosts.
 */
export class PageWatch {
  /** Responses to requests of the page's scripts, in order. */
  readonly answers: PageAnswer[] = [];
  /** Script requests whose connection failed, with the browser's message and the number of responses before. */
  readonly #broken: (SentRequest & { readonly words: string; readonly after: number })[] = [];
  /** A part of the page failed because of a network change on this computer. */
  #networkChange: ExtractError | undefined;
  /** Responses for the page's own documents, including redirects. */
  readonly documents: Response[] = [];
  readonly #page: Page;
  readonly #limits: VisitLimits;
  #session: CDPSession | undefined;
  readonly #pending = new Set<Request>();
  #requests = 0;
  #bytes = 0;
  #lastActivity = performance.now();
  #activity = 0;
  #fault: unknown;
  #isEnded = false;
  #wake = () => {};
  #loaded = false;

  constructor(page: Page, limits: VisitLimits) {
    this.#page = page;
    this.#limits = limits;
    page.on('request', (request) => this.#onRequest(request));
    page.on('response', (response) => this.#onResponse(response));
    page.on('requestfinished', (request) => this.#onEnd(request));
    page.on('requestfailed', (request) => this.#onFailure(request));
    page.on('load', () => {
      this.#loaded = true;
      this.#stir();
    });
    page.on('crash', () => this.end(new BrowserClosed('The page crashed.')));
    page.on('close', () => this.end(new BrowserClosed('The page was closed.')));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Increases with every request and response, so it is constant while the page is idle. */
  get activity(): number {
    return this.#activity;
  }

  /** Starts to count bytes and to block what is not loaded. */
  async begin(session: CDPSession, otherHosts: readonly string[]): Promise<void> {
    this.#session = session;
    session.on('Fetch.requestPaused', ({ requestId, resourceType, request }) => {
      const isLoaded = resourceType === ownRequest && !/^image\//.test(request.headers.Accept ?? '');
      const opening = isLoaded
        ? session.send('Fetch.continueRequest', { requestId })
        : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      opening.catch(() => undefined);
    });
    session.on('Network.dataReceived', ({ encodedDataLength, dataLength }) => {
      this.#bytes += encodedDataLength || dataLength;
      if (this.#bytes > this.#limits.bytes) this.#leave(`sent more than ${this.#limits.bytes} bytes`);
    });
    await Promise.all([
      session.send('Fetch.enable', {
        patterns: [...notLoaded, ownRequest].map((resourceType) => ({
          resourceType: resourceType,
        })),
      }),
      session.send('Network.enable'),
      session.send('Network.setBlockedURLs', {
        urls: otherHosts.flatMap((host) => {
          const name = host.replace(/^\./, '');
          return host === name ? [`*://${name}/*`] : [`*://${name}/*`, `*://*.${name}/*`];
        }),
      }),
    ]);
  }

  /** Ends the visit and rejects everything that waits for the page. */
  end(fault: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#fault = fault;
    this.#wake();
  }

  leavePage(): void {
    this.#loaded = false;
    this.#pending.clear();
    this.documents.length = 0;
    this.answers.length = 0;
    this.#broken.length = 0;
    this.#networkChange = undefined;
    this.#stir();
  }

  /** Returns why requests of a kind got no response if the platform or the connection failed; otherwise null. */
  faultOf(isOfKind: (request: SentRequest) => boolean): ExtractError | null {
    const broken = this.#broken.findLast(isOfKind);
    if (broken !== undefined && !this.answers.slice(broken.after).some(isOfKind)) {
      return documentError(new Error(broken.words), broken.url);
    }
    if (![...this.#pending].some((request) => isOfKind(sentRequest(request)))) return null;
    return new ExtractError(
      'platform_timeout',
      'The page requested it, but the platform did not answer in time.',
    );
  }

  /** Throws the reason why the visit ended, if it has. */
  check(): void {
    if (this.#isEnded) throw this.#fault;
  }

  /** Throws if parts of the page failed because the network changed: the content is then incomplete. */
  checkNetwork(): void {
    if (this.#networkChange !== undefined) throw this.#networkChange;
  }

  /** Returns the result of work in the browser, or rejects once the visit ends, because a hung page never responds. */
  async race<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
    work.catch(() => undefined);
    let result: { readonly value: T } | { readonly error: unknown } | undefined;
    work.then(
      (value) => {
        result = { value };
        this.#wake();
      },
      (error: unknown) => {
        result = { error };
        this.#wake();
      },
    );
    await this.until(() => result !== undefined, ms, ms);
    if (result === undefined) {
      throw new ExtractError(
        'platform_timeout',
        `The browser could not read the page: ${what} took too long.`,
      );
    }
    if ('error' in result) throw result.error;
    return result.value;
  }

  /**
   * Waits until `isDone`, until the page has been idle for `quietMs`, or at most `ms`, for a page that never becomes
   * idle. Returns true if it is done. Throws the reason why the visit ended.
   */
  async until(isDone: () => boolean, ms: number, quietMs = this.#limits.quietMs): Promise<boolean> {
    const end = performance.now() + ms;
    const startedAt = performance.now();
    for (;;) {
      this.check();
      if (isDone()) return true;
      const now = performance.now();
      if (now >= end) return false;
      const quietAt = Math.max(this.#lastActivity, startedAt) + quietMs;
      const isIdle = this.#pending.size === 0;
      if (isIdle && now >= quietAt) return false;
      await this.#stirred(Math.max(1, Math.min(end - now, isIdle ? quietAt - now : end - now)));
    }
  }

  /** True once the page's document and its parts have arrived. */
  get isLoaded(): boolean {
    return this.#loaded;
  }

  /** True while the page is navigating and nothing of the next document has arrived. */
  get isLeaving(): boolean {
    return [...this.#pending].some((request) => request.isNavigationRequest() && this.#isOfPage(request));
  }

  /** Stops the navigation, as a visitor does after waiting long enough. The page stays open. */
  async stopLeaving(): Promise<void> {
    await this.race(
      Promise.resolve(this.#session?.send('Page.stopLoading')),
      this.#limits.gestureMs,
      'a stop',
    );
  }

  #isOfPage(request: Request): boolean {
    try {
      return request.frame() === this.#page.mainFrame();
    } catch {
      // The frame does not exist yet, so it is a child frame.
      return false;
    }
  }

  #stirred(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #stir(): void {
    this.#lastActivity = performance.now();
    this.#activity += 1;
    this.#wake();
  }

  #leave(why: string): void {
    this.end(new ExtractError('platform_changed', `The page ${why} and was closed.`));
  }

  #onRequest(request: Request): void {
    this.#requests += 1;
    if (this.#requests > this.#limits.requests) {
      this.#leave(`sent more than ${this.#limits.requests} requests`);
    }
    if (waitedFor.has(request.resourceType())) {
      this.#pending.add(request);
      this.#stir();
    }
  }

  #onFailure(request: Request): void {
    const words = request.failure()?.errorText ?? '';
    if (isPassing(words)) this.#networkChange = documentError(new Error(words), request.url());
    if (dataTypes.has(request.resourceType())) {
      this.#broken.push({ ...sentRequest(request), words, after: this.answers.length });
    }
    this.#onEnd(request);
  }

  #onEnd(request: Request): void {
    if (this.#pending.delete(request)) this.#stir();
  }

  #onResponse(response: Response): void {
    const request = response.request();
    if (request.isNavigationRequest()) {
      if (!this.#isOfPage(request)) return;
      this.documents.push(response);
      if (this.documents.length > this.#limits.documents) this.#leave('led on and on');
    } else if (dataTypes.has(request.resourceType())) {
      this.answers.push({ ...sentRequest(request), response });
    } else return;
    this.#stir();
  }
}
