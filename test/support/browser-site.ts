import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { type BrowserUse, readBrowserConfig } from '../../lib/config-browser.js';
import { platforms, sites } from '../../lib/platforms.js';
import { systemClock } from '../../lib/runtime/clock.js';
import {
  type BrowserSource,
  type BrowserSourceOptions,
  createBrowserSource,
} from '../../lib/web/browser/browser-source.js';
import { findBrowser } from '../../lib/web/browser/find.js';
import { withBrowserFallback } from '../../lib/web/browser-fallback.js';
import { createNetwork, networkDefaults } from '../../lib/web/network.js';
import type { PageSource, Site } from '../../lib/web/page-source.js';
import { authority } from './authority.js';
import { forwardProxy } from './forward-proxy.js';
import { throttleOf } from './throttle.js';

/** The part of a test context that registers cleanup. */
interface Ending {
  after(done: () => unknown): void;
}

const chromium = findBrowser(readBrowserConfig(process.env));

/** Why tests with a browser are skipped; false if they can run. */
export const noBrowser: string | false = chromium.path === null ? chromium.missing : false;

/** One request as received by a test site. */
export interface SiteRequest {
  /** The whole address, as it was spelled. */
  readonly url: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly method: string;
  readonly body: string;
  readonly cookie: string;
  readonly headers: IncomingMessage['headers'];
  /** True for a request from a browser. */
  readonly browsed: boolean;
}

/** Its answer: a page by default. With `hang`, it never answers. */
export interface SiteAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
  readonly hang?: true;
  /** Milliseconds before the answer. */
  readonly afterMs?: number;
}

export type Answers = (request: SiteRequest) => SiteAnswer | undefined;

/** Hosts of a platform, served by a test over TLS. */
export interface BrowserSite {
  readonly proxyUrl: string;
  readonly caFile: string;
  /** Settings that send a program's requests to the site instead of the platforms. */
  readonly env: Readonly<Record<string, string>>;
  /** Every request, as `METHOD host/path?query`. */
  readonly requests: string[];
  /** `host:port` of every requested connection. */
  readonly tunnels: string[];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** An address outside all special ranges: the proxy connects it to the site like any other. */
export const publicAddress = '1.2.3.4';

/** Serves every host with the given answers; everything else is 404. */
export async function browserSite(t: Ending, folder: string, answers: Answers): Promise<BrowserSite> {
  const trusted = authority(folder);
  const allSites: readonly Site[] = sites;
  const names = allSites.flatMap(({ hosts, browser }) => [...hosts, ...(browser?.hosts ?? [])]);
  const { key, cert } = trusted.issue(
    ...new Set(names.flatMap((one) => (one.startsWith('.') ? [one.slice(1), `*${one}`] : [one]))),
    'elsewhere.example',
    publicAddress,
  );
  const requests: string[] = [];
  // Chromium identifies an authority by the pin of its key, so the server must send the certificate.
  const chain = cert + readFileSync(trusted.file, 'utf8');
  const server = createServer({ key, cert: chain }, (request: IncomingMessage, response: ServerResponse) => {
    void (async () => {
      const host = request.headers.host ?? '';
      const url = new URL(request.url ?? '/', `https://${host}`);
      requests.push(`${request.method} ${host}${request.url}`);
      const answer = answers({
        url: `https://${host}${request.url}`,
        host,
        path: url.pathname,
        query: url.searchParams,
        method: request.method ?? 'GET',
        body: await bodyOf(request),
        cookie: request.headers.cookie ?? '',
        headers: request.headers,
        browsed: /Chrome\//.test(request.headers['user-agent'] ?? ''),
      });
      if (answer?.hang === true) return;
      if (answer?.afterMs !== undefined) await sleep(answer.afterMs);
      const { status = 200, headers = {}, body = '' } = answer ?? { status: 404, body: 'nothing' };
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
      response.end(body, 'latin1');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const proxy = await forwardProxy(t as Parameters<typeof forwardProxy>[0], server.address() as AddressInfo);
  return {
    proxyUrl: proxy.url,
    caFile: trusted.file,
    env: {
      HTTPS_PROXY: proxy.url,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_EXTRA_CA_CERTS: trusted.file,
      EXTRACT_COOLDOWN_MS: '0',
      ...Object.fromEntries(platforms.map((one) => [`EXTRACT_PACE_MS_${one.toUpperCase()}`, '0'])),
    },
    requests,
    tunnels: proxy.tunnels,
  };
}

/** The pages of such a site through the system's browser, which is closed after the test. */
export function siteByBrowser(
  t: Ending,
  site: BrowserSite,
  over: Partial<BrowserSourceOptions> = {},
): BrowserSource {
  if (chromium.path === null) throw new Error(chromium.missing);
  const options = { cooldownMs: 0, clock: systemClock };
  const throttle = throttleOf({ page: { ms: 0, concurrency: 8 } }, options);
  const source = createBrowserSource({
    path: chromium.path,
    sandbox: chromium.sandbox,
    headed: false,
    contexts: 2,
    sites,
    proxy: { httpsProxy: site.proxyUrl, noProxy: '127.0.0.1' },
    extraCaCerts: site.caFile,
    throttleOf: () => throttle,
    clock: systemClock,
    ...over,
  });
  t.after(() => source.close());
  return source;
}

/**
 * Reads such a site according to EXTRACT_BROWSER: without a browser, with one, or with one only after a refusal. This
 * process trusts the site's authority from then on.
 */
export function siteBothWays(
  t: Ending,
  site: BrowserSite,
  source: BrowserSource,
): (use: BrowserUse) => PageSource {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(site.caFile, 'utf8')]);
  const network = createNetwork({
    userAgent: 'test/1',
    pace: () => ({ ms: 0, concurrency: 8 }),
    timeouts: networkDefaults.timeouts,
    cooldownMs: 0,
    proxy: { httpsProxy: site.proxyUrl, noProxy: '127.0.0.1' },
    clock: systemClock,
    random: () => 0,
  });
  t.after(() => network.close());
  return (use) => withBrowserFallback(network, { use, find: () => chromium, open: async () => source });
}

/** Resources that a file's tests share are closed after all of them, in reverse order. */
export function sharedByFile(): Ending {
  const endings: (() => unknown)[] = [];
  after(async () => {
    for (const done of endings.reverse()) await done();
  });
  return { after: (done) => endings.push(done) };
}

/** Reads with the browser only, as EXTRACT_BROWSER=always does. */
export const always = (source: PageSource): PageSource => ({
  open: (site, signal) => source.open(site, signal),
  browser: { when: 'always', source: async () => source },
  close: () => source.close(),
});
