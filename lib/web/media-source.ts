import type { Readable } from 'node:stream';
import { ExtractError } from '../errors/extract-error.js';
import { CallAbort, type CallSignal } from '../runtime/abort.js';
import { type Connections, connections } from './connections.js';
import { Cooldown } from './cooldown.js';
import { failureOf, totalTimeoutError } from './fetch-failure.js';
import { type RawHeaders, retryAfterSeconds } from './headers.js';
import type { NetworkOptions } from './network.js';
import { Pace } from './pace.js';
import { type PaceStore, reserveIn } from './pace-store.js';
import type { MediaSite } from './page-source.js';
import { type PlatformCounter, PlatformCounts } from './platform-counts.js';
import { type Proxies, proxiesOf, proxySettingOn } from './proxies.js';
import { isOnSite, maxRedirects, redirectTarget, type Target } from './redirects.js';

export interface MediaOptions extends Pick<NetworkOptions, 'userAgent' | 'cooldownMs' | 'proxy' | 'clock'> {
  readonly platform: string;
  readonly site: MediaSite;
  /** Shares pace and cooldowns with the other processes of a data directory. Its opener closes it. */
  readonly paceStore?: PaceStore | undefined;
}

/** A response from a media host, with its body as a stream. */
export interface MediaAnswer {
  readonly status: number;
  /** By lower-case name. */
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

interface OpenAnswer extends MediaAnswer {
  readonly body: Readable;
}

const timeouts = { connectMs: 10_000, headersMs: 20_000, bodyMs: 30_000 } as const;
/** Milliseconds for one file, because a host may send a byte a second. The next attempt resumes. */
const fileMs = 5 * 60_000;

/** The source of pictures and videos: the platform's media hosts or, for samples, this program itself. */
export type MediaPort = Pick<MediaSource, 'isOnHosts' | 'fetch' | 'close'>;

/**
 * Fetches pictures and videos only from the media hosts of one platform: at the hosts' pace, with redirects among them
 * only, pausing after a refusal.
 */
export class MediaSource {
  readonly #options: MediaOptions;
  readonly #connections: Connections;
  readonly #proxies: Proxies | null;
  readonly #pace: Pace;
  readonly #cooldown: Cooldown;
  readonly #counts: PlatformCounts;
  readonly #counter: PlatformCounter;

  constructor(options: MediaOptions) {
    const { site, proxy, clock, platform, cooldownMs, paceStore } = options;
    const proxies = proxiesOf(proxy);
    this.#options = options;
    this.#proxies = proxies;
    this.#connections = connections(proxies, timeouts, site.pace.concurrency);
    // Its own row in the store, because its pace differs from the platform's.
    const name = `The media host of ${platform}`;
    this.#cooldown = new Cooldown(name, cooldownMs, clock, paceStore);
    this.#counts = new PlatformCounts(paceStore, clock);
    this.#counter = this.#counts.of(`${platform} media`);
    const { ms, concurrency } = site.pace;
    this.#pace = new Pace(ms, concurrency, clock, reserveIn(paceStore, name, { ms }, clock));
  }

  isOnHosts(address: string): boolean {
    if (!URL.canParse(address)) return false;
    // Includes a non-default port, because no other port of a media host may be contacted.
    const { protocol, host, username, password } = new URL(address);
    return (
      /^https?:$/.test(protocol) && username + password === '' && isOnSite(host, this.#options.site.hosts)
    );
  }

  /**
   * Requests an address in turn and passes the response to `readAnswer`, which must consume the body before the turn
   * ends. Throws `platform_unavailable`, `platform_timeout`, `platform_rate_limited`, or the signal's reason.
   */
  async fetch<T>(
    address: string,
    headers: Readonly<Record<string, string>>,
    readAnswer: (answer: MediaAnswer) => Promise<T>,
    signal: CallSignal,
  ): Promise<T> {
    const request = async () => {
      const began = this.#options.clock.now();
      const url = new URL(address);
      const { hostname } = url;
      const untilLate = new CallAbort(signal);
      const disarm = this.#options.clock.alarm(fileMs, () => untilLate.abort(totalTimeoutError(hostname)));
      let answer: OpenAnswer | undefined;
      try {
        answer = await this.#follow(address, headers, untilLate);
        if (answer.status === 429) {
          const wait = retryAfterSeconds(answer.header('retry-after'), began) ?? undefined;
          this.#counter.addRefusal();
          this.#cooldown.recordRefusal('platform_rate_limited', wait, `${hostname} asks for fewer requests.`);
          throw new ExtractError('platform_rate_limited', `${hostname} asks for fewer requests.`);
        }
        const result = await readAnswer({ ...answer, body: this.#counted(answer.body) });
        this.#cooldown.recordAnswer(began);
        return result;
      } catch (cause) {
        if (untilLate.aborted) throw untilLate.reason;
        throw failureOf(cause, hostname, proxySettingOn(this.#proxies, url))?.error ?? cause;
      } finally {
        disarm();
        untilLate.unlink();
        // An unread body would hold its connection.
        answer?.body.on('error', () => undefined).destroy();
      }
    };
    return this.#pace.run(request, signal, () => this.#cooldown.checkShared());
  }

  async #follow(
    address: string,
    headers: Readonly<Record<string, string>>,
    signal: CallSignal,
  ): Promise<OpenAnswer> {
    const all = { 'user-agent': this.#options.userAgent, accept: 'image/*,video/*', ...headers };
    let target: Target = { url: new URL(address), method: 'GET', headers: all, body: undefined };
    for (let redirects = 0; ; redirects += 1) {
      this.#counter.addRequest(this);
      const answer = await this.#connections.dispatcher.request({
        origin: target.url.origin,
        path: `${target.url.pathname}${target.url.search}`,
        method: 'GET',
        // Unencoded, because ranges refer to the bytes as sent.
        headers: { ...target.headers, 'accept-encoding': 'identity' },
        // undici only uses the members of CallSignal.
        signal: signal as AbortSignal,
      });
      const values = answer.headers as RawHeaders;
      const header = (name: string) => {
        const value = values[name];
        return typeof value === 'string' ? value : value?.[0];
      };
      const next = redirectTarget(target, answer.statusCode, header('location'), this.#options.site.hosts);
      if (next !== null && redirects < maxRedirects) {
        await answer.body.dump();
        target = next;
        continue;
      }
      return { status: answer.statusCode, header, body: answer.body };
    }
  }

  async *#counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.#counter.addBytes(chunk.byteLength);
      yield chunk;
    }
  }

  async close(): Promise<void> {
    await this.#connections.close();
    await this.#counts.close();
  }
}
