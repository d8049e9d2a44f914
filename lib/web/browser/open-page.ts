import type { Page as BrowserPage, Response } from 'playwright-core';
import { ExtractError } from '../../errors/extract-error.js';
import { pageHeaders } from '../headers.js';
import { bodyTooLarge, page as pageOf } from '../page.js';
import type { Page, Site } from '../page-source.js';
import { isOnSite } from '../redirects.js';
import type { VisitLimits } from './limits.js';
import type { PageWatch } from './page-watch.js';

export interface OpenPage {
  readonly page: BrowserPage;
  readonly watch: PageWatch;
  readonly site: Site;
  readonly limits: VisitLimits;
}

export const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304;
export const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : '');
export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '');

export const ledAway = () =>
  new ExtractError('platform_blocked', 'The page redirected away from the platform.');

/** True if the page has navigated to another host, or to Chromium's own error page. */
export const isAway = ({ page, watch, site }: OpenPage) =>
  !watch.isLeaving && !isOnSite(hostOf(page.url()), site.hosts);

/** Converts a browser's response to a page for readers. */
export function pageFrom({ site }: OpenPage, response: Response, body: Uint8Array, now: number): Page {
  const url = response.url();
  // If the page's URL changed by a fragment or a script, the response's URL is used.
  if (!isRedirect(response.status()) && !isOnSite(hostOf(url), site.hosts)) throw ledAway();
  return pageOf(url, response.status(), pageHeaders(response.headers(), now), body);
}

/** Null if the browser has discarded the body, as of a document that the page has left. */
export async function bodyOf({ site, watch, limits }: OpenPage, response: Response) {
  const { maxBytes } = site;
  const length = Number(response.headers()['content-length']);
  if (length > maxBytes) throw bodyTooLarge(maxBytes);
  if (isRedirect(response.status())) return new Uint8Array();
  const reading = response.body().catch((error: unknown) => {
    watch.check();
    if (/No resource with given identifier|No data found/.test(String(error))) return null;
    throw error;
  });
  const { bodyMs, gestureMs } = limits;
  const body = await watch.race(reading, bodyMs, 'an answer').catch(async (error: unknown) => {
    if (!watch.isLeaving) throw error;
    // Chromium withholds bodies while the page is navigating away (2026-11).
    await watch.stopLeaving();
    return watch.race(reading, gestureMs, 'an answer');
  });
  if (body !== null && body.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
  return body;
}

/** Returns the document after its scripts have run; null for one that the page is leaving. */
export async function rendered(open: OpenPage, last: Response, now: number): Promise<Page | null> {
  const { page, watch, site, limits } = open;
  // Chromium returns no content for a page that is navigating away (2026-11).
  if (watch.isLeaving) return null;
  const content = page.content().catch((error: unknown) => {
    if (/is navigating|context was destroyed/i.test(String(error))) return null;
    throw error;
  });
  const html = await watch.race(content, limits.gestureMs, 'the page').catch((error: unknown) => {
    if (watch.isLeaving) return null;
    throw error;
  });
  if (html === null) return null;
  const bytes = Buffer.from(html);
  if (bytes.byteLength > site.maxBytes) throw bodyTooLarge(site.maxBytes);
  const served = pageFrom(open, last, bytes, now);
  const headers = { ...served.headers, 'content-type': 'text/html; charset=utf-8' };
  return pageOf(served.url, served.status, headers, bytes);
}
