import { type ErrorCode, ExtractError } from '../../errors/extract-error.js';
import { outcomes, refusal } from '../../errors/outcomes.js';
import { cut } from '../../read/html.js';
import { isEmpty, refuseByStatus } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { headOf, type PageHead, refuseOtherSubject } from './page-head.js';
import type { PageName } from './urls.js';

/**
 * Signs of blocked, login wall, rate limit and not found, in the order of the checks (2024-06 to 2026-09): status,
 * final address, size and shape, and page key. The required element comes last and is checked by the reader. Every good
 * page contains the words “login” and “challenge”, so only small pages without a page key are searched for words.
 */

const challenge = (message: string) => refusal('challenge', message);
const shell = (message: string) => refusal('shell', message);
const login = (what: string) => refusal('login_wall', `LinkedIn redirected to its ${what}.`);

function refuseByPath(path: string): void {
  if (/^\/checkpoint\/challenge/i.test(path))
    throw challenge('The platform requires a challenge to be solved.');
  if (/^\/authwall\b/i.test(path)) throw login('sign-in wall');
  if (/^\/(?:m\/)?signup\b/i.test(path)) throw login('sign-up page');
  if (/^\/(?:(?:uas|m)\/)?login\b|^\/checkpoint\b/i.test(path)) throw login('login page');
}

const pathOf = (url: string, base?: string) => (URL.canParse(url, base) ? new URL(url, base).pathname : '');

/** Throws for refusals recognisable by status and final address. `notFound` is the code of the requested object. */
function refuseByAnswer(page: Page, notFound: ErrorCode): void {
  const { status } = page;
  if (status === 999) {
    const message = 'The platform answered 999, its way of refusing an address.';
    throw new ExtractError(outcomes.challenge.code, message, { scope: 'address' });
  }
  refuseByStatus(page);
  const path = pathOf(page.url);
  if (status >= 300 && status < 400) {
    refuseByPath(pathOf(page.headers.location ?? '', page.url));
    throw shell(`The platform answered ${status} without a usable redirect.`);
  }
  refuseByPath(path);
  if (status === 404 || status === 410) {
    const html = page.text();
    const head = headOf(html);
    // The script that redirects to a login wall says nothing about the subject, and neither does its status.
    if (head.pageKey === null) refuseByShape(page, html, head);
    if (html.includes('top-card-layout__title') && !html.includes('page-not-found')) {
      throw refusal('unknown_layout', `The platform answered ${status} with the page of a member.`);
    }
    throw new ExtractError(notFound);
  }
  if (/^\/(?:404|(?:in|company|school|showcase)\/unavailable)\/?$/i.test(path))
    throw new ExtractError(notFound);
  if (status > 200 && status < 300 && isEmpty(page)) {
    throw shell(`The platform answered ${status} with nothing, its way of refusing.`);
  }
  if (status !== 200) {
    throw new ExtractError('platform_changed', `The platform answered with the unexpected status ${status}.`);
  }
}

/** A smaller page without a page key is a stub. The smallest page with one had 65 KB (2024-06). */
const stubBytes = 20_000;
/** The script challenge has 25 KB. */
const challengeBytes = 40_000;

const words = (html: string, pattern: RegExp) => pattern.test(html);

/** Throws for refusals recognisable by the shape of a page without a page key. */
function refuseByShape(page: Page, html: string, head: PageHead): void {
  const bytes = page.body.byteLength;
  if (bytes > challengeBytes) return;
  if (head.refreshes && !words(html, /<title/i)) {
    throw challenge('The platform put its script challenge before the page.');
  }
  if (bytes > stubBytes) return;
  if (words(html, /security (?:check|verification)|captcha/i)) {
    throw challenge('The platform asks for a security check.');
  }
  if (words(html, /\/authwall|sessionRedirect=/)) {
    throw shell('The platform answered with the script that leads to its sign-in wall.');
  }
}

/** Throws for refusals recognisable by page key. */
function refuseByKey({ pageKey, appName }: PageHead): void {
  if (pageKey === null) {
    if (appName === 'checkpoint-frontend') throw login('login page');
    return;
  }
  if (/^auth_?wall/i.test(pageKey)) throw login('sign-in wall');
  if (/registration/i.test(pageKey)) throw login('sign-up page');
  if (/^[dp]_checkpoint.*challenge/i.test(pageKey))
    throw challenge('The platform requires a challenge to be solved.');
  if (/^(?:[dp]_)?checkpoint|^[dp]?_?uas-/i.test(pageKey)) throw login('login page');
  if (/^[dp]_homepage-guest/.test(pageKey)) {
    throw shell('The platform answered with its home page, its way of refusing.');
  }
}

export interface AcceptedPage {
  readonly html: string;
  readonly head: PageHead;
}

export interface Expectation {
  /** Page keys of the requested kind. A page without a key is judged by its elements. */
  readonly key: RegExp;
  readonly notFound: ErrorCode;
}

/**
 * The kinds of pages that readers request. Keys of profiles have not changed since 2024. Keys of other kinds begin with
 * “p” on pages for phones, which some visitors get by mistake (2023-04).
 */
export const pageKinds = {
  profile: { key: /^public_profile/, notFound: 'profile_not_found' },
  // Showcases and schools have their own keys.
  company: { key: /^[dp]_org_guest/, notFound: 'company_not_found' },
  // The company's page exists: a missing address has an old token, or was removed.
  updates: { key: /^[dp]_org_guest/, notFound: 'platform_changed' },
  post: { key: /^[dp]_public_post/, notFound: 'post_not_found' },
  jobs: { key: /^[dp]_jobs_guest_search/, notFound: 'platform_changed' },
  job: { key: /^[dp]_jobs_guest_details/, notFound: 'job_not_found' },
} as const satisfies Record<string, Expectation>;

/** Checks a complete page for refusals. Returns it if it is of the requested kind. */
export function accept(page: Page, { key, notFound }: Expectation): AcceptedPage {
  refuseByAnswer(page, notFound);
  if (page.body.byteLength === 0) {
    throw shell('The platform answered with an empty page, its way of refusing.');
  }
  const html = page.text();
  const head = headOf(html);
  if (head.pageKey === null) refuseByShape(page, html, head);
  refuseByKey(head);
  if (head.pageKey !== null && !key.test(head.pageKey)) {
    throw new ExtractError(
      'platform_changed',
      `The platform returned another kind of page: ${head.pageKey}.`,
    );
  }
  return { html, head };
}

/** Elements with visible content; a page without any of them has an empty body. */
const content = {
  keep: {
    main: 'main',
    heading: 'h1',
    subheading: 'h2',
    section: 'section',
    article: 'article',
    list: 'ul',
    text: 'p',
  },
} as const;

/**
 * Throws for a page without the required element. One with an empty body withholds its content: it is the subject's if
 * its head says so, else a shell. A small page without a page key is a stub; any other is an unknown layout.
 */
export function refuseWithoutElement(page: Page, { html, head }: AcceptedPage, element: string): never {
  const isEmpty = Object.values(cut(html, content)).every((matches) => matches.length === 0);
  const isStub = head.pageKey === null && page.body.byteLength < stubBytes;
  const summary = `${page.body.byteLength} bytes, ${head.pageKey ?? 'no page key'}`;
  if (isEmpty && head.pageKey !== null && head.addresses.length > 0) {
    throw refusal('subject_without_data', `The platform served the page (${summary}) without its content.`);
  }
  if (isEmpty || isStub) {
    throw shell(`The platform answered with almost nothing (${summary}), its way of refusing.`);
  }
  throw refusal('unknown_layout', `The page (${summary}) lacks ${element}.`);
}

/** Throws for a profile page without a person; its page key is the same as any other profile's (2024-06). */
export function refuseMissingProfile(
  page: Page,
  acceptedPage: AcceptedPage,
  requested: PageName,
  signs: { missing: boolean; top: boolean },
): void {
  if (signs.top) return;
  if (!signs.missing) refuseWithoutElement(page, acceptedPage, 'the name of a person');
  refuseOtherSubject(page, acceptedPage.head, requested);
  throw new ExtractError(
    'profile_not_found',
    `There is no public profile ${requested.vanity}: it does not exist, or is not public. The platform does not say which.`,
  );
}

/** Throws `platform_changed` for a page that is cut off before the end of its main part. */
export function refuseCutOff(html: string): void {
  if (html.includes('</main>') || html.includes('</html>')) return;
  throw new ExtractError('platform_changed', 'The page is cut off before its end.');
}

const isWholePage = (html: string) => /<(?:html|head|meta|title|script)[\s>]/i.test(html.slice(0, 4000));

/**
 * Checks a fragment: markup without head and page key. A complete page instead of it is checked as a page, and is
 * usually a refusal.
 */
export function acceptFragment(page: Page, expectation: Expectation): AcceptedPage {
  refuseByAnswer(page, expectation.notFound);
  const html = page.text();
  if (isWholePage(html)) return accept(page, expectation);
  return { html, head: headOf('') };
}

/** Checks a response of data, not a page. Returns its text. */
export function acceptText(page: Page): string {
  refuseByAnswer(page, 'platform_changed');
  const html = page.text();
  if (!isWholePage(html)) return html;
  const head = headOf(html);
  if (head.pageKey === null) refuseByShape(page, html, head);
  refuseByKey(head);
  throw new ExtractError('platform_changed', 'The platform answered with a page instead of data.');
}

/** True for a response without a byte. An empty fragment still has its frame, and some refusals look like this. */
export const isBlank = (page: Page): boolean => page.status === 200 && isEmpty(page);

/** Throws if a response with status 400 is a wall. */
function refuseWall(page: Page): void {
  refuseByPath(pathOf(page.url));
  const html = page.text();
  const head = headOf(html);
  if (head.pageKey === null) refuseByShape(page, html, head);
  refuseByKey(head);
}

/** Returns a fragment of a list; null at the list's end: an empty response, or status 400 after the first items. */
export function acceptItems(page: Page, expectation: Expectation, isFirst: boolean): AcceptedPage | null {
  if (page.status === 400 && !isFirst) {
    refuseWall(page);
    return null;
  }
  const acceptedPage = acceptFragment(page, expectation);
  if (acceptedPage.head.pageKey !== null || acceptedPage.html.includes('<li')) return acceptedPage;
  const rest = acceptedPage.html
    .replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, '')
    .replace(/<!doctype[^<>]*>|<code[^<>]*>\s*<\/code>|\s+/gi, '');
  if (rest === '') return null;
  if (isWholePage(acceptedPage.html)) refuseWithoutElement(page, acceptedPage, 'a list');
  throw new ExtractError('platform_changed', 'The platform’s answer lacks the list.');
}
