import { ExtractError } from '../errors/extract-error.js';
import { CallAbort, type CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import { acceptEncoding } from './body.js';
import type { Connections } from './connections.js';
import { Cookies } from './cookies.js';
import { type Cooldown, isRefusal } from './cooldown.js';
import { type Answer, exchange } from './exchange.js';
import { failureOf } from './fetch-failure.js';
import { headerValues, pageHeaders, retryAfterSeconds } from './headers.js';
import type { Pace } from './pace.js';
import { page } from './page.js';
import type { Page, PageRequest, PageSession, Site } from './page-source.js';
import { type Proxies, proxySettingOn } from './proxies.js';
import { maxRedirects, redirectTarget, type Target } from './redirects.js';
import { retryDelay, tunnelRetryDelay } from './retry.js';

/** What all sessions with one platform share. */
export interface PlatformAccess {
  /** Of the session's platform, as are the pace and the cool-down. */
  readonly connections: Connections;
  readonly proxies: Proxies | null;
  readonly userAgent: string;
  readonly totalMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly pace: Pace;
  readonly cooldown: Cooldown;
}

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function withCookie(target: Target, cookie: string | undefined): Target {
  if (cookie === undefined) return target;
  const own = target.headers.cookie;
  return { ...target, headers: { ...target.headers, cookie: own ? `${own}; ${cookie}` : cookie } };
}

/** Made once: an abort that is given no reason makes an error of its own each time, stack and all. */
const sessionEnded = new DOMException('The session is over.', 'AbortError');

/** A session over the network: paced, retried where that is right, redirected within the site. */
export class NetworkSession implements PageSession {
  readonly #access: PlatformAccess;
  readonly #site: Site;
  readonly #cookies = new Cookies();
  readonly #began: number;
  readonly #abort: CallAbort;
  /** True after the cool-down stopped a request: its error must not count as another refusal. */
  #stoppedByCooldown = false;
  #ended = false;
  /** Fetches that are on their way. */
  #fetching = 0;

  constructor(access: PlatformAccess, site: Site, signal: CallSignal | undefined) {
    this.#access = access;
    this.#site = site;
    this.#began = access.clock.now();
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
      const { status, headers, body } = await this.#answer(target);
      const location = headerValues(headers, 'location')[0];
      const next = redirectTarget(target, status, location, this.#site.hosts);
      if (next === null || redirects === maxRedirects) {
        return page(target.url.href, status, pageHeaders(headers, this.#access.clock.now()), body);
      }
      target = next;
    }
  }

  cookie(url: string, name: string): string | null {
    return this.#cookies.value(url, name);
  }

  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#abort.unlink();
    // Nobody waits any more for requests that are still on their way or queued.
    if (this.#fetching > 0) this.#abort.abort(sessionEnded);
    if (this.#stoppedByCooldown) return;
    const { cooldown } = this.#access;
    if (isRefusal(error)) cooldown.recordRefusal(error.code, error.retryAfter);
    // A page that says “there is no such thing” is an answer too.
    else if (error === undefined || (error instanceof ExtractError && error.type === 'not_found')) {
      cooldown.recordAnswer(this.#began);
    }
  }

  /** The answer to one request, with retries. */
  async #answer(target: Target): Promise<Answer> {
    const { clock, random, proxies } = this.#access;
    const signal = this.#abort;
    for (let retries = 0; ; retries += 1) {
      let delay: number | null;
      try {
        const answer = await this.#attempt(target);
        const [header] = headerValues(answer.headers, 'retry-after');
        const retryAfter = retryAfterSeconds(header, clock.now());
        delay = retryDelay(target.method, retries, { status: answer.status, retryAfter }, random);
        if (delay === null) return answer;
      } catch (cause) {
        const failure = signal.aborted
          ? null
          : failureOf(cause, target.url.hostname, proxySettingOn(proxies, target.url));
        if (failure === null) throw cause;
        delay = retryDelay(target.method, retries, failure, random);
        if (delay === null) throw failure.error;
      }
      await clock.sleep(delay, signal);
    }
  }

  /** One attempt, at the platform's pace. A cool-down stops it, also where it began while the attempt was queued. */
  async #attempt(target: Target): Promise<Answer> {
    const { pace, cooldown } = this.#access;
    const attempt = async () => {
      await cooldown.checkShared();
      const { href } = target.url;
      const answer = await this.#exchange(withCookie(target, this.#cookies.header(href)));
      const set = headerValues(answer.headers, 'set-cookie');
      if (set.length > 0) await this.#cookies.store(href, set);
      return answer;
    };
    try {
      return await pace.run(attempt, this.#abort);
    } catch (error) {
      // No status is an exception: a refusal that is thrown is the cool-down's.
      this.#stoppedByCooldown ||= isRefusal(error);
      throw error;
    }
  }

  /** One request. A proxy that fails is asked again here: the platform noticed nothing that would need its pace. */
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
