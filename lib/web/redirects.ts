/** A request before cookies are added. Header names in lower case. */
export interface Target {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export const maxRedirects = 5;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const keepsMethod: ReadonlySet<number> = new Set([307, 308]);

/**
 * True for a host, with or without port, that the site lists: exactly, or at or below a name that begins with a dot.
 */
export function isOnSite(host: string, hosts: readonly string[]): boolean {
  return hosts.some((platformHost) =>
    platformHost.startsWith('.')
      ? host === platformHost.slice(1) || host.endsWith(platformHost)
      : host === platformHost,
  );
}

/**
 * Returns the request that a redirect leads to; null if there is no redirect, or one to other hosts, from https to
 * http, or to an unusual port.
 */
export function redirectTarget(
  from: Target,
  status: number,
  location: string | undefined,
  hosts: readonly string[],
): Target | null {
  if (!redirects.has(status) || location === undefined || !URL.canParse(location, from.url.href)) return null;
  const url = new URL(location, from.url.href);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && from.url.protocol === 'http:');
  if (!safe || !(isOnSite(url.hostname, hosts) || isOnSite(url.host, hosts))) return null;
  if (url.port !== '' && url.port !== from.url.port) return null;

  const headers = { ...from.headers };
  if (url.host !== from.url.host) delete headers.cookie;
  if (from.method === 'GET' || keepsMethod.has(status)) return { ...from, url, headers };
  delete headers['content-type'];
  return { url, method: 'GET', headers, body: undefined };
}
