import { type ErrorCode, ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { isEmpty, refuseByStatus } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { overloadSeconds, overloadWords } from './site.js';

/** Pages that replace another one are 0.5-6 KB. A data page that contains the same words is hundreds of KB. */
const stubBytes = 20_000;

/** Returns the path of the final address or redirect; "" outside the platform. */
function pathOf(page: Page): string {
  const target = (page.status >= 300 && page.status < 400 && page.headers.location) || page.url;
  if (!URL.canParse(target, page.url)) return '';
  const url = new URL(target, page.url);
  return /(^|\.)tiktok\.com$/.test(url.hostname) ? url.pathname : '';
}

function refuseByPath(path: string): void {
  if (/^\/login\b/.test(path)) {
    throw refusal('login_wall', 'TikTok redirected to its login page.');
  }
  // In countries without the platform, every address ends at /hk/notfound, /in/notfound, or /hk/about (2021-2026).
  if (/^\/[a-z]{2}\/(?:notfound|about)\b/.test(path)) {
    throw new ExtractError(
      'platform_restricted',
      'The platform does not operate in the country of this request.',
    );
  }
}

/** Signs of a captcha page. Good pages contain the bare word dozens of times, so only complete element names count. */
const captchaSigns = [
  'oec-ttweb-captcha',
  'captcha-init',
  'secsdk-captcha',
  'captcha_verify_container',
  'captcha_verify_img_slide',
  '<title>Security Check</title>',
];

const isCaptcha = (text: string) => captchaSigns.some((sign) => text.includes(sign));

/** The waiting page, by its scripts or by its words alone (2024 to 2026-09). */
const isWaiting = /_wafchallengeid|SlardarWAF|\/waf-aiso\/|(?:<body[^<>]*>|<\/head>)\s*Please wait\.\.\./;

function refuseStub(page: Page): void {
  if (page.body.byteLength > stubBytes) return;
  const text = page.text();
  // A list of comments is as small, and a comment may contain the same words.
  if (!/^\s*</.test(text)) return;
  if (isWaiting.test(text)) {
    throw refusal('challenge', 'The platform served its waiting-room challenge instead of the page.');
  }
  if (isCaptcha(text)) refuseByCaptcha();
}

/** Throws for an embed page that the platform has no capacity for (since 2026-09-24); a later request gets it. */
function refuseOverload(page: Page): void {
  if (page.status !== 503 || page.body.byteLength > stubBytes || !page.text().includes(overloadWords)) return;
  throw new ExtractError('platform_rate_limited', 'The platform is overloaded.', {
    retryAfter: overloadSeconds,
  });
}

/**
 * Throws for refusals recognisable before the data is looked for. Ordered as in shortvideo's outcome table, 2026-09.
 */
export function refuse(page: Page): void {
  refuseOverload(page);
  refuseByStatus(page);
  refuseByPath(pathOf(page));
  if (page.headers['bdturing-verify'] !== undefined) refuseByCaptcha();
  refuseStub(page);
  if (page.status < 300 && isEmpty(page)) {
    throw refusal('shell', 'The platform answered with an empty page, its way of refusing.');
  }
}

/** The platform requires a captcha, which is never solved here. */
export function refuseByCaptcha(): never {
  throw refusal('challenge', 'The platform asks for a captcha.');
}

const maxNames = 8;

/**
 * Throws for a data script without the requested scope. Without any subject's scope it is the shell that the platform
 * serves when it throttles softly (2024-2026). Unknown scopes may hold the data under new names.
 */
export function refuseWithoutScope(unknown: readonly string[]): never {
  if (unknown.length === 0) {
    throw refusal('shell', 'The platform served the shell of the page and withheld its data.');
  }
  const names = unknown.slice(0, maxNames).map((name) => name.slice(0, 80));
  throw refusal(
    'unknown_layout',
    `TikTok changed its page layout: the expected data is missing, and the page has ${names.join(', ')}.`,
  );
}

/**
 * Throws for a page without its data script: a captcha, or a shell. A body that is not a page is an unknown response.
 */
export function refuseWithoutData(page: Page): never {
  const text = page.text();
  if (isCaptcha(text)) refuseByCaptcha();
  const isAway = page.status >= 300 && page.status < 400;
  const outcome = isAway || (page.status === 200 && /^\s*</.test(text)) ? 'shell' : 'unknown_layout';
  throw refusal(outcome, `The page (${page.status}, ${page.body.byteLength} bytes) lacks its data.`);
}

/** The platform's own status codes in pages and interfaces, and their meaning (2026-09). */
const codes: ReadonlyMap<number, readonly [code: ErrorCode, meaning: string]> = new Map([
  [450, ['platform_unavailable', 'a fault of the page']],
  [2483, ['platform_login_required', 'only for people who are signed in']],
  [10000, ['platform_blocked', 'a captcha is required']],
  [10101, ['platform_unavailable', 'a fault of its server']],
  [10102, ['platform_login_required', 'only for people who are signed in']],
  [10111, ['platform_unavailable', 'a fault of its network']],
  [10113, ['platform_blocked', 'taken for a robot']],
  [10114, ['platform_blocked', 'taken for a robot']],
  [10119, ['platform_login_required', 'only for people who are signed in']],
  [10209, ['platform_restricted', 'the hashtag is barred']],
  [10211, ['platform_restricted', 'the hashtag is sensitive']],
  [10212, ['platform_restricted', 'the hashtag was taken down']],
  [10213, ['platform_restricted', 'closed because of the author’s age']],
  [10214, ['platform_restricted', 'closed because of the author’s age']],
  [10215, ['platform_restricted', 'the video is not available']],
  [10216, ['account_private', 'the author made the video private']],
  [10217, ['platform_restricted', 'the video is under review or was taken down']],
  [10218, ['platform_restricted', 'the sound was taken down']],
  [10219, ['platform_restricted', 'the sound is not licensed in this region']],
  [10220, ['platform_restricted', 'the video is closed because of its sound']],
  [10222, ['account_private', 'the account is private']],
  [10223, ['platform_restricted', 'closed under the rules for young people']],
  [10225, ['platform_restricted', 'the name is sensitive']],
  [10227, ['platform_restricted', 'the video is under review']],
  [10228, ['platform_restricted', 'the video is flagged as a risk']],
  [10229, ['platform_restricted', 'the video is masked']],
  [10230, ['platform_restricted', 'the video is masked']],
  [10231, ['platform_restricted', 'closed to this region']],
  [10404, ['platform_unavailable', 'a limit of its feed']],
  [100004, ['platform_unavailable', 'a fault that it does not name']],
]);

/** Codes that mean “there is no such thing”; 10221 is a banned account, or one that never existed. */
const missing: ReadonlySet<number> = new Set([10201, 10202, 10203, 10204, 10205, 10208, 10210, 10221, 10224]);

export const isMissing = (code: number) => missing.has(code);

/** True for a status code of a subject that exists but is not public. */
export const isPrivate = (code: number) => codes.get(code)?.[0] === 'account_private';

/** Throws the error for a status code other than 0. `notFound` is the code of the endpoint's own subject. */
export function refuseByCode(code: number, notFound: ErrorCode, message: string): void {
  if (code === 0) return;
  if (isMissing(code)) throw new ExtractError(notFound, message);
  const outcome = codes.get(code);
  if (outcome === undefined) {
    throw new ExtractError('platform_changed', `The platform answered with the unknown status code ${code}.`);
  }
  throw new ExtractError(outcome[0], `The platform answered with status code ${code}: ${outcome[1]}.`);
}
