import { readFile } from 'node:fs/promises';
import { ExtractError } from '../../errors/extract-error.js';
import type { Clock } from '../../runtime/clock.js';
import type { PageSource, Site } from '../page-source.js';
import { type ProxySettings, proxiesOf } from '../proxies.js';
import type { Throttle } from '../throttle.js';
import { BrowserProcess } from './browser-process.js';
import { BrowserSession } from './browser-session.js';
import { launchArguments, pinsOf } from './launch-arguments.js';
import { type VisitLimits, visitLimits } from './limits.js';
import { type VisitCounts, Visits } from './visits.js';

export interface BrowserSourceOptions {
  readonly path: string;
  readonly sandbox: boolean;
  readonly headed: boolean;
  /** Maximum number of concurrent visits. */
  readonly contexts: number;
  readonly sites: readonly Site[];
  readonly proxy: ProxySettings;
  /** File with additional certificate authorities. */
  readonly extraCaCerts: string | undefined;
  /** Returns a site's throttle, shared with plain requests. */
  readonly throttleOf: (site: Site) => Throttle;
  readonly clock: Clock;
  readonly limits?: VisitLimits;
}

/** A page source that uses a browser and reports its visit counts. */
export interface BrowserSource extends PageSource {
  /** Visits in progress, and in total since the start. */
  readonly counts: VisitCounts;
}

/** How long the browser stays open after the last visit. */
const idleMs = 5 * 60_000;

function credentialsOf(address: string) {
  if (address === '') return null;
  const { protocol, host, username, password } = new URL(address);
  if (username === '') return null;
  return {
    server: `${protocol}//${host}`,
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

async function pinsIn(file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  try {
    return pinsOf(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new ExtractError(
      'platform_unavailable',
      'The browser was not started: the file in NODE_EXTRA_CA_CERTS contains no readable certificates. Correct it.',
      { cause, next: '' },
    );
  }
}

/**
 * Creates a source that reads pages as an ordinary, openly automated browser. Nothing is stored, and visits share
 * nothing. Throws `invalid_parameter` if a proxy setting is not a URL.
 */
export function createBrowserSource(options: BrowserSourceOptions): BrowserSource {
  const { path, sandbox, headed, contexts, sites, clock, limits = visitLimits } = options;
  const proxies = proxiesOf(options.proxy);
  const hosts = new Map(
    sites.map(({ platform, hosts: siteHosts, browser }) => [
      platform,
      [...siteHosts, ...(browser?.hosts ?? [])],
    ]),
  );
  const program = {
    path,
    sandbox,
    headed,
    proxy: proxies === null ? null : credentialsOf(proxies.httpsProxy || proxies.httpProxy),
    arguments: async () =>
      launchArguments([...new Set([...hosts.values()].flat())], proxies, await pinsIn(options.extraCaCerts)),
  };
  const running = new BrowserProcess(program, clock, idleMs);
  const visits = new Visits(running, { contexts, limits, clock, hosts });
  let closed = false;

  return {
    open(site, signal, scope = {}) {
      if (closed) throw new ExtractError('platform_unavailable', 'The browser was closed.');
      const { subject, account } = scope;
      const throttle = options.throttleOf(site).open('browser', { subject, account });
      return new BrowserSession({ visits, clock, throttle }, site, signal, scope);
    },
    get counts() {
      return visits.counts;
    },
    async close() {
      closed = true;
      await visits.close();
      await running.close();
    },
  };
}
