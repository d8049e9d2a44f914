import { type ErrorCode, ExtractError } from '../../errors/extract-error.js';
import { outcomes, refusal } from '../../errors/outcomes.js';
import { isEmpty, refuseByStatus } from '../../read/refusal.js';
import type { Page } from '../../web/page-source.js';
import { isConsentWall } from './consent-wall.js';
import { isData } from './response-frame.js';

/** Returns the addresses of a page: its own, and the target of a redirect to another site, which is not followed. */
function addresses(page: Page): URL[] {
  const texts = [page.url];
  if (page.status >= 300 && page.status < 400) texts.push(page.headers.location ?? '');
  return texts.filter((text) => URL.canParse(text)).map((text) => new URL(text));
}

/** Text on the captcha page and its short form (2026-09). */
const captchaSigns = [
  'id="captcha-form"',
  'g-recaptcha',
  'recaptcha/enterprise.js',
  'Our systems have detected unusual traffic from your computer network',
  'your computer or network may be sending automated queries',
];

/** “A limited view of the map” in the languages observed (February to September 2026). */
const limitedViewSigns = [
  'limited view of Google Maps',
  'vue limitée',
  'eingeschränkte Ansicht',
  'vista limitada',
  'vista limitata',
  'ограниченный просмотр',
  '限定ビュー',
  '제한된 보기',
  '受限视图',
  '受限檢視',
  'عرض محدود',
  'sınırlı görünüm',
  'ograniczony widok',
  'beperkte weergave',
];

/**
 * Throws for a page that refuses this visitor, whatever was requested. Ordered as in the table of outcomes for maps,
 * 2026-09.
 */
export function refuseVisitor(page: Page): void {
  const { status } = page;
  if (status === 429) refuseByStatus(page);
  const where = addresses(page);
  if (where.some((url) => url.pathname.startsWith('/sorry/'))) {
    throw new ExtractError(
      outcomes.slow_down.code,
      'The platform redirected to its page about unusual traffic.',
      {
        scope: 'address',
      },
    );
  }
  if (isConsentWall(page)) {
    throw refusal('challenge', 'The platform requires consent first, and ignored a refusal.');
  }
  if (where.some((url) => url.hostname === 'accounts.google.com')) {
    throw refusal('login_wall', 'Google Maps redirected to its login page.');
  }
  if (isData(page)) return;
  const text = page.text();
  if (captchaSigns.some((sign) => text.includes(sign))) {
    throw refusal('challenge', 'The platform asks for a captcha.');
  }
  if (limitedViewSigns.some((sign) => text.includes(sign))) {
    throw refusal('login_wall', 'The platform served its limited view of the page.');
  }
}

/**
 * Returns the error for a page without data. The shell of the map is a restriction (2026-03); anything else is an
 * unknown answer.
 */
export function withoutData(page: Page): ExtractError {
  const size = `${page.body.byteLength} bytes`;
  if (/^\s*(?:\uFEFF)?</.test(page.text()) || isEmpty(page)) {
    return refusal('shell', `The platform answered with the frame of a page (${size}) instead of data.`);
  }
  return refusal('unknown_layout', `The answer (${size}) is neither data nor a page.`);
}

/**
 * Throws for a page that refuses this request. `missing` is the meaning of status 404: the place is missing if the
 * request was for the place itself. A list whose address answers 404 has been removed, as the reviews' was in 2026.
 */
export function refuseRequest(page: Page, missing: ErrorCode = 'platform_changed'): void {
  refuseByStatus(page);
  const { status } = page;
  if (status === 404)
    throw new ExtractError(missing, `The platform answered ${status}: the place does not exist.`);
  if (status >= 300 && status < 400) {
    throw refusal('shell', `The platform answered ${status} and redirected away from the page.`);
  }
  if (status < 300 && isEmpty(page)) {
    throw refusal('shell', 'The platform answered with an empty page.');
  }
  if (status !== 200) {
    throw refusal('unknown_layout', `The platform answered ${status}: it no longer understands the request.`);
  }
  if (!isData(page)) throw withoutData(page);
}
