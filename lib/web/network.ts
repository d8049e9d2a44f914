import { ExtractError } from '../errors/extract-error.js';
import type { Clock } from '../runtime/clock.js';
import { type ConnectionTimeouts, connections } from './connections.js';
import { NetworkSession, type PlatformAccess } from './network-session.js';
import type { PaceStore } from './pace-store.js';
import type { Gap, PageSource, Site } from './page-source.js';
import { PlatformCounts } from './platform-counts.js';
import { type ProxySettings, proxiesOf } from './proxies.js';
import { RecentPages } from './recent-pages.js';
import { Throttle } from './throttle.js';

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
