import { urlOrNull } from '../../read/convert.js';

const home = 'https://www.linkedin.com';

const siteHost = /(?:^|\.)linkedin\.com$/;

function parseUrl(href: string | null): URL | null {
  if (href === null) return null;
  const url = urlOrNull(href, home);
  return url === null ? null : new URL(url);
}

/** Returns the target of a link wrapped in the platform's redirect; null for other links. */
export function unwrapLink(href: string): string | null {
  const url = parseUrl(href);
  if (
    url === null ||
    !siteHost.test(url.hostname) ||
    !/^\/(?:redir\/(?:redirect|general-malware-page)|safety\/go)\b/.test(url.pathname)
  )
    return null;
  return urlOrNull(url.searchParams.get('url'));
}

/** Returns the target of a link: unwrapped, without the platform's tracking parameters. */
export function linkOrNull(href: string | null): string | null {
  if (href === null) return null;
  const target = unwrapLink(href);
  if (target !== null) return target;
  const url = parseUrl(href);
  if (url === null) return null;
  if (siteHost.test(url.hostname)) return siteLinkOrNull(href);
  if (!url.searchParams.has('trk')) return urlOrNull(href);
  url.searchParams.delete('trk');
  return url.href;
}

/** Returns the address of a page of the platform: on its main host, without query and trailing slash. */
export function siteLinkOrNull(href: string | null): string | null {
  const url = parseUrl(href);
  if (url === null || !siteHost.test(url.hostname)) return null;
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  return path === '' ? null : `${home}${path}`;
}
