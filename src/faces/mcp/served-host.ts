import { isIP } from 'node:net';
import type { Config } from '../../../lib/config.js';
import { isLoopback } from '../../config/loopback.js';
import type { ServerConfig } from '../../config/server-config.js';

/** Returns the host name in a `Host` header; null if it is invalid. */
function nameOf(host: string | undefined): string | null {
  if (host === undefined || /[/?#@\\\s]/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/**
 * Returns a predicate for the hosts that a server answers for: addresses, names of this machine, and names set by the
 * operator. A page whose own name resolves to this machine (DNS rebinding) uses a name that is none of these.
 */
export function servedHosts(
  { host, allowedHosts }: Pick<ServerConfig, 'host' | 'allowedHosts'>,
  { docsUrl }: Pick<Config, 'docsUrl'>,
): (host: string | undefined) => boolean {
  const published = URL.canParse(docsUrl) ? new URL(docsUrl).host : undefined;
  const names = new Set([host, published, ...allowedHosts].map((one) => nameOf(one)));
  return (header) => {
    const name = nameOf(header);
    if (name === null) return false;
    return allowedHosts.includes('*') || isIP(name) !== 0 || isLoopback(name) || names.has(name);
  };
}

/**
 * True if a page of `origin` may call; programs send none. Allowed are a page of the same host, one in the operator's
 * list, and on this machine one of this machine.
 */
export function isTrustedOrigin(
  origin: string | undefined,
  host: string | undefined,
  corsOrigins: readonly string[],
): boolean {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return true;
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  const { host: from, hostname } = new URL(origin);
  if (from === host?.toLowerCase()) return true;
  const name = nameOf(host);
  return name !== null && isLoopback(name) && isLoopback(hostname);
}
