import { ExtractError } from '../errors/extract-error.js';
import { CallAbort, type CallSignal, isReasonOf, whileWaiting } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { acceptEncoding } from './body.js';
import { type Connections, type ConnectionTimeouts, connections } from './connections.js';
import { Cookies } from './cookies.js';
import { type Answer, exchange } from './exchange.js';
import { failureOf } from './fetch-failure.js';
import { headerValues, pageHeaders, retryAfterSeconds } from './headers.js';
import type { PaceStore } from './pace-store.js';
import { page } from './page.js';
import type { Attempt, Gap, Page, PageRequest, PageSession, PageSource, Site } from './page-source.js';
import { PlatformCounts } from './platform-counts.js';
import { type Proxies, type ProxySettings, proxiesOf, proxySettingOn } from './proxies.js';
import { RecentPages } from './recent-pages.js';
import { maxRedirects, redirectTarget, type Target } from './redirects.js';
import type { RequestScope } from './refusal-scope.js';
import { retryDelay, tunnelRetryDelay } from './retry.js';
import { Throttle, type ThrottledSession } from './throttle.js';

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

export interface NetworkOptions {
  readonly userAgent: string;
  /** Returns the pace of a surface: the site's, with the user's settings applied. `ms` 0: no waiting. */
  readonly pace: (site: Site, surface: string) => Gap;
  readonly timeouts: ConnectionTimeouts & {
    /** Milliseconds for one request, from its start to the last byte of the response. */
    readonly totalMs: number;
  };
  /** Milliseconds of cooldown after a first refusal that specifies none; 0 disables cooldowns. */
  readonly cooldownMs: number;
  readonly proxy: ProxySettings;
  readonly clock: Clock;
  /** Returns 0 ≤ x < 1; spreads retries. */
  readonly random: () => number;
  /** Pace and cooldowns shared with other processes, closed with the source; by default per process. */
  readonly paceStore?: PaceStore | undefined;
}

export const networkDefaults = {
  timeouts: { connectMs: 10_000, headersMs: 20_000, bodyMs: 15_000, totalMs: 45_000 },
  cooldownMs: 60_000,
} as const;

/** The network, with the throttles that a browser shares. */
export interface Network extends PageSource {
  throttleOf(site: Site): Throttle;
}

/**
 * Creates a source that reads from the network. Pace and cooldown are per platform and shared by all sessions. Throws
 * `invalid_parameter` if a proxy setting is not a URL.
 */
export function createNetwork(options: NetworkOptions): Network {
  const { userAgent, proxy, timeouts, clock, random, paceStore } = options;
  const proxies = proxiesOf(proxy);
  const shared = {
    proxies,
    userAgent,
    totalMs: timeouts.totalMs,
    clock,
    random,
    recentPages: new RecentPages(clock),
  };
  const counts = new PlatformCounts(paceStore, clock);
  let closed = false;
  const accessByPlatform = new Map<string, PlatformAccess>();

  function accessTo(site: Site): PlatformAccess {
    const existing = accessByPlatform.get(site.platform);
    if (existing !== undefined) return existing;
    const { cooldownMs } = options;
    const counter = counts.of(site.platform);
    const gap = (surface: string) => options.pace(site, surface);
    const throttle = new Throttle(site, { gap, cooldownMs, clock, paceStore, counter });
    const concurrency = Object.keys(site.surfaces).reduce((sum, one) => sum + gap(one).concurrency, 0);
    const access = { ...shared, connections: connections(proxies, timeouts, concurrency), throttle };
    accessByPlatform.set(site.platform, access);
    return access;
  }

  return {
    throttleOf: (site) => accessTo(site).throttle,
    refusedLately: (site) => accessTo(site).throttle.refusedLately(),
    open(site, signal, scope) {
      if (closed) throw new ExtractError('platform_unavailable', 'The connections were closed.');
      return new NetworkSession(accessTo(site), site, signal, {
        subject: scope?.subject,
        account: scope?.account,
      });
    },
    async close() {
      closed = true;
      const all = [...accessByPlatform.values()];
      await Promise.all(all.map((access) => access.connections.close()));
      await Promise.all([...all.map((access) => access.throttle.flush()), counts.close()]);
      await paceStore?.close();
    },
  };
}
