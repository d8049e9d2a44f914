import { urlOrNull } from '../../read/convert.js';

/** Links as the platform's pages write them. */
const home = 'https://www.linkedin.com';

const siteHost = /(?:^|\.)linkedin\.com$/;

function parseUrl(href: string | null): URL | null {
  if (href === null) return null;
  const whole = urlOrNull(href, home);
  return whole === null ? null : new URL(whole);
}

/** The target of a link that is wrapped in the platform's own redirect, or null where it is not wrapped. */
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

/** Address that a link leads to: unwrapped, tracking words of the platform left out. */
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

/** Address of a page of the platform itself: on its main host, without query and trailing slash. */
export function siteLinkOrNull(href: string | null): string | null {
  const url = parseUrl(href);
  if (url === null || !siteHost.test(url.hostname)) return null;
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  return path === '' ? null : `${home}${path}`;
}
