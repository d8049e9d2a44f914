import { CallAbort, type CallSignal, isReasonOf, whileWaiting } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { acceptEncoding } from './body.js';
import type { Connections } from './connections.js';
import { Cookies } from './cookies.js';
import { type Answer, exchange } from './exchange.js';
import { failureOf } from './fetch-failure.js';
import { headerValues, pageHeaders, retryAfterSeconds } from './headers.js';
import { page } from './page.js';
import type { Attempt, Page, PageRequest, PageSession, Site } from './page-source.js';
import { type Proxies, proxySettingOn } from './proxies.js';
import type { RecentPages } from './recent-pages.js';
import { maxRedirects, redirectTarget, type Target } from './redirects.js';
import type { RequestScope } from './refusal-scope.js';
import { retryDelay, tunnelRetryDelay } from './retry.js';
import type { Throttle, ThrottledSession } from './throttle.js';

/** The state shared by all sessions with one platform. */
export interface PlatformAccess {
  readonly connections: Connections;
  readonly throttle: Throttle;
  readonly proxies: Proxies | null;
  readonly userAgent: string;
  readonly totalMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly recentPages: RecentPages;
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function withCookie(target: Target, cookie: string | undefined): Target {
  if (cookie === undefined) return target;
  const cookieHeader = target.headers.cookie;
  return {
    ...target,
    headers: { ...target.headers, cookie: cookieHeader ? `${cookieHeader}; ${cookie}` : cookie },
  };
}

type ReadAnswer = Omit<Answer, 'sentBytes'>;

/** Created once: aborting without a reason creates an error with a stack each time. */
const sessionEnded = new DOMException('The session is over.', 'AbortError');

/** A session over the network: paced, retried if appropriate, following redirects within the site. */
export class NetworkSession implements PageSession {
  readonly #access: PlatformAccess;
  readonly #site: Site;
  readonly #scope: RequestScope;
  readonly #cookies = new Cookies();
  readonly #throttle: ThrottledSession;
  readonly #abort: CallAbort;
  #ended = false;
  /** True after the session's single wait for a platform that sheds load. */
  #hasWaited = false;
  #fetching = 0;
  /** Responses that asked for fewer requests, by surface. They replace further requests there. */
  readonly #slowDowns = new Map<string | undefined, Page>();

  constructor(access: PlatformAccess, site: Site, signal: CallSignal | undefined, scope: RequestScope = {}) {
    this.#access = access;
    this.#site = site;
    this.#scope = scope;
    this.#throttle = access.throttle.open('plain', scope);
    this.#abort = new CallAbort(signal);
  }

  async fetch(request: PageRequest): Promise<Page> {
    if (this.#ended) throw sessionEnded;
    this.#fetching += 1;
    try {
      return await this.#fetch(request);
    } finally {
      this.#fetching -= 1;
    }
  }

  async #fetch(request: PageRequest): Promise<Page> {
    const { onExchange, surface, afterMs = 0, rest } = request;
    const { clock, recentPages } = this.#access;
    // An archive needs the exchange of each answer.
    const before = rest === 'take' && onExchange === undefined ? recentPages.take(request) : null;
    const slowDown = this.#slowDowns.get(surface);
    if (before !== null || slowDown !== undefined) return (before ?? slowDown) as Page;
    if (afterMs > 0) await whileWaiting(this.#abort, (abort) => clock.sleep(afterMs, abort));
    let target: Target = {
      url: new URL(request.url),
      method: request.method ?? 'GET',
      headers: {
        'user-agent': this.#access.userAgent,
        'accept-encoding': acceptEncoding,
        ...this.#site.headers,
        ...(request.headers === undefined ? {} : lowerCase(request.headers)),
      },
      body: request.body,
    };
    for (let redirects = 0; ; redirects += 1) {
      const { status, headers, body } = await this.#answer(target, surface, onExchange);
      const location = headerValues(headers, 'location')[0];
      const next = redirectTarget(target, status, location, this.#site.hosts);
      if (next === null || redirects === maxRedirects) {
        const answer = page(target.url.href, status, pageHeaders(headers, clock.now()), body);
        if (rest !== undefined && status === 200) recentPages.keep(request, answer);
        if (status === 429) this.#slowDowns.set(surface, answer);
        return answer;
      }
      target = next;
    }
  }

  cookie(url: string, name: string): string | null {
    return this.#cookies.value(url, name);
  }

  refusedLately(): Promise<readonly string[]> {
    return this.#access.throttle.refusedLately(this.#scope);
  }

  report(attempt: Attempt): void {
    this.#throttle.report(attempt);
  }

  end(error?: unknown): unknown {
    if (this.#ended) return error;
    this.#ended = true;
    this.#abort.unlink();
    // No caller waits for requests in flight or queued.
    if (this.#fetching > 0) this.#abort.abort(sessionEnded);
    return this.#throttle.end(error);
  }

  async #answer(
    target: Target,
    surface: string | undefined,
    onExchange: PageRequest['onExchange'],
  ): Promise<ReadAnswer> {
    const { clock, random, proxies } = this.#access;
    const signal = this.#abort;
    for (let retries = 0; ; retries += 1) {
      let delay: number | null;
      try {
        const answer = await this.#attempt(target, surface, onExchange);
        const [header] = headerValues(answer.headers, 'retry-after');
        const retryAfter = retryAfterSeconds(header, clock.now());
        if (answer.status === 429 && retryAfter !== null) {
          this.#throttle.noteSlowDown(retryAfter, surface);
        }
        delay = this.#isOverload(answer)
          ? this.#overloadDelay()
          : retryDelay(target.method, retries, { status: answer.status, retryAfter }, random);
        if (delay === null) return answer;
      } catch (cause) {
        const failure =
          signal.aborted || isReasonOf(cause, signal)
            ? null
            : failureOf(cause, target.url.hostname, proxySettingOn(proxies, target.url));
        if (failure === null) throw cause;
        delay = retryDelay(target.method, retries, failure, random);
        if (delay === null) throw failure.error;
      }
      await whileWaiting(signal, (abort) => clock.sleep(delay, abort));
    }
  }

  #isOverload({ status, body }: ReadAnswer): boolean {
    const { overload } = this.#site;
    return status === 503 && overload !== undefined && Buffer.from(body).includes(overload.words);
  }

  /** Returns the wait after load was shed, the first time in this session; then null. */
  #overloadDelay(): number | null {
    if (this.#hasWaited) return null;
    this.#hasWaited = true;
    return this.#site.overload?.waitMs ?? null;
  }

  /** Makes one attempt, at the platform's pace. */
  #attempt(
    target: Target,
    surface: string | undefined,
    onExchange: PageRequest['onExchange'],
  ): Promise<ReadAnswer> {
    return this.#throttle.run(
      async () => {
        const { href } = target.url;
        const request = withCookie(target, this.#cookies.header(href));
        const at = this.#access.clock.now();
        const { sentBytes, ...answer } = await this.#exchange(request);
        this.#throttle.addBytes(sentBytes);
        onExchange?.({
          ...{ at, url: href, method: request.method, requestHeaders: request.headers },
          ...{ requestBody: request.body ?? null, ...answer },
        });
        const setCookies = headerValues(answer.headers, 'set-cookie');
        if (setCookies.length > 0) await this.#cookies.store(href, setCookies);
        return answer;
      },
      this.#abort,
      surface,
    );
  }

  /**
   * Sends one request. A failing proxy is retried here, because the platform received nothing that its pace should
   * count.
   */
  async #exchange(request: Target): Promise<Answer> {
    const { connections, totalMs, clock, random } = this.#access;
    const limits = { maxBytes: this.#site.maxBytes, totalMs, clock };
    for (let retries = 0; ; retries += 1) {
      try {
        return await exchange(connections.dispatcher, request, limits, this.#abort);
      } catch (cause) {
        const delay = this.#abort.aborted ? null : tunnelRetryDelay(cause, retries, random);
        if (delay === null) throw cause;
        await clock.sleep(delay, this.#abort);
      }
    }
  }
}
