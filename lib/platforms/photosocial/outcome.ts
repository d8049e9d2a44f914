import { type ErrorCode, ExtractError } from '../../errors/extract-error.js';
import { ErrorRoute, outcomes, refusal } from '../../errors/outcomes.js';
import { resolveReferences } from '../../read/html-text.js';
import { at, between, listAt } from '../../read/json.js';
import { refuseByStatus } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { headOf } from './page-head.js';

/** A response body, by its first character: a document's answer, or a page. */
export type Body =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'html'; readonly bytes: Buffer; html(): string };

/** The subject of a call: the error if it does not exist, and how pages refer to it. */
export interface Missing {
  readonly code: ErrorCode;
  readonly message: string;
  /** True for an address of the subject. Omit if no page refers to it. */
  isAt?(address: string): boolean;
}

/** The subject exists, as its own page shows, but the platform withholds the requested data. */
export class SubjectWithoutData extends ExtractError {
  constructor() {
    const { code } = outcomes.subject_without_data;
    super(
      code,
      'The platform served the page without this data, as it does for visitors who are not signed in.',
    );
  }
}

export const notFound = ({ code, message }: Missing) => new ExtractError(code, message);

/** `null` for a subject that an earlier page of the call has shown means that the request is outdated. */
export const outdatedDocument = (what: string): Missing => ({
  code: 'platform_changed',
  message: `The platform no longer supports the query for ${what}.`,
});

export const ofAnother = (name: string | null) =>
  new ExtractError(
    'platform_changed',
    name === null
      ? 'The page does not name its subject.'
      : `The page is about ${name.slice(0, 80)}, not about the requested subject.`,
  );

const loginWall = () => refusal('login_wall', 'Instagram redirected to its login page.');
const challenge = () => refusal('challenge', 'The platform asks for a security check.');

const isOwn = (address: string, base: string) =>
  URL.canParse(address, base) && /(?:^|\.)instagram\.com$/.test(new URL(address, base).hostname);

/**
 * Throws for refusals recognisable by the final address. Order and signs follow the table of block markers for
 * photosocial, 2026-10.
 */
function refuseByAddress(page: Page): void {
  const location = page.status >= 300 && page.status < 400 ? page.headers.location : undefined;
  const target = location ?? page.url;
  if (location === undefined || isOwn(location, page.url)) {
    const path = URL.parse(target, page.url)?.pathname ?? '';
    if (/^\/accounts\/(login|suspended)\b/.test(path) || path === '/') throw loginWall();
    if (/^\/challenge\b/.test(path)) throw challenge();
  }
  if (location !== undefined) {
    throw refusal('shell', `The platform answered ${page.status} and redirected to another page.`);
  }
}

function refuseByMessage(json: unknown, status: number): void {
  const message = String(at(json, 'message') ?? '').toLowerCase();
  if (/checkpoint_required|challenge_required/.test(message) || at(json, 'checkpoint_url') !== undefined) {
    throw challenge();
  }
  const errors = listAt(json, 'errors');
  if (
    message.includes('feedback_required') ||
    message.includes('rate limited') ||
    errors.some((error) => at(error, 'code') === 1675004)
  ) {
    throw new ExtractError('platform_rate_limited');
  }
  // “Please wait a few minutes” also comes on the first request if the platform wants a login (since 2025).
  if (at(json, 'require_login') === true || message.includes('login_required')) {
    throw new ExtractError(
      'platform_login_required',
      `The platform answered ${status} and asks for a login: ${message || 'no message'}`,
    );
  }
  if (message.includes('please wait a few minutes')) throw new ExtractError('platform_rate_limited');
  if (/useragent mismatch|unauthorized logged out query/.test(message)) {
    throw new ExtractError('platform_blocked', `The platform refuses this client: ${message}`);
  }
}

/** Returns the kind of a page, by its own word; null if it does not say. */
function routeOf(html: string): string | null {
  return between(html, '"canonicalRouteName":"comet.igweb.', '"');
}

/** Routes of pages with subjects: PolarisLoggedOutDesktopWWWPostRoute, PolarisProfileRoute (2025-11 to 2026-10). */
const subjectRoute = /LoggedOut|^PolarisProfileRoute/;

const routeName = (route: string | null) => route?.slice(0, 80) ?? 'no route';

/** PolarisCAAIGLoginHomepageRoute and similar (2026). */
const loginRoute = /Login(?:(?!Login)\w)*Route$/;

function refuseByStatusAndSize(page: Page): void {
  // Every 401 on record asks for a login; addresses are refused with 403, 429 and shells.
  if (page.status === 401) {
    throw refusal('login_wall', 'The platform answered 401, its way of asking for a login.');
  }
  refuseByStatus(page);
  if (page.status >= 400) throw refusal('shell', `The platform answered ${page.status} and no page.`);
  if (page.body.byteLength === 0) {
    throw refusal('shell', 'The platform answered with an empty page, its way of refusing.');
  }
}

/**
 * Throws for refusals and “not found” that are recognisable before reading: final address, status, message. The route
 * is looked up only if the data is missing: searching 1 MB for it costs as much as finding the data.
 */
export function refusePage(
  page: Page,
  body: Body,
  missing: Missing,
  missingStatus: readonly number[] = [404],
): void {
  refuseByAddress(page);
  if (body.kind === 'json') refuseByMessage(body.json, page.status);
  if (missingStatus.includes(page.status)) throw notFound(missing);
  refuseByStatusAndSize(page);
}

/** The same for a document's answer, whose status never proves anything missing, nor does a page instead of it. */
export function refuseDocument(page: Page, body: Body): void {
  refuseByAddress(page);
  if (body.kind === 'json') refuseByMessage(body.json, page.status);
  if (page.status === 404) {
    throw new ExtractError('platform_changed', 'The platform’s address for documents no longer exists.');
  }
  refuseByStatusAndSize(page);
  if (body.kind === 'json') return;
  if (loginRoute.test(routeOf(body.html()) ?? '')) throw loginWall();
  throw new ExtractError('platform_blocked', 'The platform answered with a page instead of data.');
}

/** Pages of 2012-2021 state their kind in `entry_data`. */
function refuseByEntry(entry: string | undefined, missing: Missing): void {
  if (entry === 'HttpErrorPage') throw notFound(missing);
  if (entry === 'LoginAndSignupPage') throw loginWall();
  if (entry === 'Challenge') throw challenge();
}

const titleOf = (html: string) => resolveReferences(between(html, '<title', '</title>') ?? '');

function refuseByTitle(html: string, missing: Missing): void {
  const title = titleOf(html);
  if (/>\s*Login\b/.test(title)) throw loginWall();
  // Only the title: an account may have such a name, and a caption may contain the words.
  if (/>\s*(?:Sorry, this )?page (?:not found|isn[\u2019']t available)\.?\s*(?:•|$)/i.test(title))
    throw notFound(missing);
}

/** Keys under which pages of 2024 and later hold document answers. A null one holds nothing. */
const dataKeys = /"((?:xig|xdt)_\w{1,80})":(?!\s*null)/g;

/**
 * Throws the outcome of a page without its data. It is “not found” only in the platform's own words, because a shell
 * and the error route also come for existing subjects (2026-01).
 */
export function refuseWithoutPageData(html: string, missing: Missing, roots: readonly string[] = []): never {
  const route = routeOf(html);
  if (loginRoute.test(route ?? '')) throw loginWall();
  const keys = [...new Set([...html.matchAll(dataKeys)].map(([, key]) => key as string))];
  const unknown = keys.filter((key) => !roots.includes(key));
  if (unknown.length > 0 && unknown.length === keys.length) {
    const names = unknown.slice(0, 8).join(', ');
    throw refusal(
      'unknown_layout',
      `The page (${routeName(route)}) lacks its data, which may be under ${names}.`,
    );
  }
  const head = headOf(html);
  const isNamed = head.url !== null && missing.isAt?.(head.url) === true;
  if (isNamed || keys.length > 0) throw new SubjectWithoutData();
  refuseByEntry(/"entry_data":\s*\{\s*"(\w+)"/.exec(html)?.[1], missing);
  refuseByTitle(html, missing);
  if (route === 'PolarisErrorRoute') {
    throw new ErrorRoute(missing.message);
  }
  if (route === null || subjectRoute.test(route)) {
    // A head about another subject is on that subject's page, so waiting is pointless.
    const names = (URL.parse(head.url ?? '')?.pathname ?? '/') !== '/';
    if (names && missing.isAt !== undefined) throw ofAnother(head.url);
    throw route === null
      ? refusal('shell', 'The platform served a page with neither route nor data.')
      : refusal(
          'slow_down',
          'The platform served the right page without its data, as it does after too many pages.',
        );
  }
  throw refusal('unknown_layout', `The page (${routeName(route)}) lacks its data.`);
}

export function refuseWithoutAnswer(json: unknown, missing: Missing): never {
  refuseByEntry(Object.keys(at(json, 'entry_data') ?? {})[0], missing);
  const errors = listAt(json, 'errors').map((error) =>
    String(at(error, 'message') ?? at(error, 'summary') ?? ''),
  );
  const [first] = errors;
  // The same words mean that something is gone, or not available in this country (2026-09).
  if (errors.some((message) => message.includes('field_exception'))) {
    throw new ExtractError(missing.code, `${missing.message} It may also be withheld in this country.`);
  }
  const words = first ?? String(at(json, 'errorSummary') ?? at(json, 'message') ?? '');
  throw new ExtractError(
    'platform_changed',
    words === ''
      ? 'The answer lacks its data.'
      : `The platform no longer supports this query: ${words.slice(0, 200)}`,
  );
}
