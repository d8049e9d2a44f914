import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Missing } from '../../../lib/platforms/photosocial/outcome.js';
import { find, type Source } from '../../../lib/platforms/photosocial/page-data.js';
import { profileSubject } from '../../../lib/platforms/photosocial/profile-shapes.js';
import { page } from '../../../lib/web/page.js';

const url = 'https://www.instagram.com/harbor.lantern/';
const missing: Missing = { code: 'profile_not_found', message: 'none', isAt: (address) => address === url };

interface Answer {
  readonly text?: string;
  readonly status?: number;
  readonly location?: string;
  readonly url?: string;
}

const read = (source: Source, { text = '', status = 200, location, url: at = url }: Answer) => {
  const headers: Record<string, string> = location === undefined ? {} : { location };
  const answer = page(at, status, headers, Buffer.from(text));
  return find(answer, source, profileSubject, missing, () => true);
};

const home = 'https://www.instagram.com';
const route = (name: string) =>
  `<html><script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.${name}"}</script></html>`;
const ofAnother = `<head><meta property="og:url" content="${home}/mossy.kiln/"></head>`;
const ownRoute = route('PolarisLoggedOutDesktopWWWProfileRoute');
const entry = (name: string) => `<script>window._sharedData = {"entry_data":{"${name}":[{}]}};</script>`;
const message = (text: string) => JSON.stringify({ message: text, status: 'fail' });
const title = (text: string) => `<html><title>${text}</title>`;
const postTitle = title('Mira on Instagram: "Sorry, this page isn’t available"');
const named = title('Page Not Found (@harbor.lantern) • Instagram photos and videos');

describe('a page without its subject', () => {
  for (const [name, answer, code] of [
    ['a suspended visitor', { url: `${home}/accounts/suspended/` }, 'platform_login_required'],
    ['a redirect to the home page', { url: `${home}/`, text: '<html>' }, 'platform_login_required'],
    ['a redirect to login', { status: 302, location: '/accounts/login/' }, 'platform_login_required'],
    ['a redirect elsewhere', { status: 302, location: 'https://x.example/a' }, 'platform_blocked'],
    ['a legacy login page', { text: entry('LoginAndSignupPage') }, 'platform_login_required'],
    ['a login title', { text: title('Login • Instagram') }, 'platform_login_required'],
    ['403 login_required', { status: 403, text: message('login_required') }, 'platform_login_required'],
    ['feedback_required', { status: 400, text: message('feedback_required') }, 'platform_rate_limited'],
    ['a legacy challenge', { text: entry('Challenge') }, 'platform_blocked'],
    ['neither route nor data', { text: `<html>${'<link>'.repeat(1000)}` }, 'platform_blocked'],
    ['useragent mismatch', { status: 400, text: message('useragent mismatch') }, 'platform_blocked'],
    ['another account’s page with the right route', { text: ofAnother + ownRoute }, 'platform_changed'],
    ['another account’s page without a route', { text: `${ofAnother}<html>` }, 'platform_changed'],
    ['a new route without data', { text: route('PolarisNewRoute') }, 'platform_changed'],
    ['a legacy error page', { text: entry('HttpErrorPage') }, 'profile_not_found'],
    ['the title “Page Not Found”', { text: title('Page Not Found • Instagram') }, 'profile_not_found'],
    ['an account whose name is that title', { text: named }, 'platform_blocked'],
    ['a title with the words of a post', { text: postTitle }, 'platform_blocked'],
    ['451', { status: 451, text: '<html>' }, 'platform_restricted'],
    ['410', { status: 410, text: '<html>' }, 'platform_blocked'],
  ] as const) {
    test(`is ${code} for ${name}`, () => assert.throws(() => read('page', answer), { code }));
  }
});

describe('a document without its subject', () => {
  const data = (value: unknown, ...errors: object[]) => ({ text: JSON.stringify({ data: value, errors }) });
  const error = (message: string) => ({ message });
  const older = { text: '{"data":{"viewer":{},"user":null},"status":"ok"}' };
  const unreadable = 'for (;;);{"__ar":1,"error":1357004,"errorSummary":"Sorry, something went wrong"}';
  const retired = error('The GraphQL document with ID 5 was not found.');
  const limited = { code: 1675004, message: 'Rate limit exceeded' };
  for (const [name, answer, code] of [
    ['null', { text: '{"data":{"xig_user_by_username":null}}' }, 'profile_not_found'],
    ['null in the older shape', older, 'profile_not_found'],
    ['null because of an error', data({ user: null }, error('execution error')), 'platform_changed'],
    ['a missing variable', data(null, error('missing_required_variable_value')), 'platform_changed'],
    ['a retired id', data(null, retired), 'platform_changed'],
    ['an unreadable request', { text: unreadable }, 'platform_changed'],
    ['a field exception', data(null, error('field_exception')), 'profile_not_found'],
    ['too many requests', data(null, limited), 'platform_rate_limited'],
    ['a page instead of data', { text: '<html>' }, 'platform_blocked'],
    ['the error page', { text: route('PolarisErrorRoute') }, 'platform_blocked'],
    ['404', { status: 404, text: '<html>' }, 'platform_changed'],
    ['401', { status: 401, text: '{"message":"","require_login":true}' }, 'platform_login_required'],
    ['400', { status: 400, text: message('Unauthorized logged out query') }, 'platform_blocked'],
    ['data of another kind', { text: '{"data":{"something":{}}}' }, 'platform_changed'],
    ['an empty body', {}, 'platform_blocked'],
  ] as const) {
    test(`is ${code} for ${name}`, () => assert.throws(() => read('document', answer), { code }));
  }

  test('is an answer if it has the subject', () => {
    read('document', { text: '{"data":{"xig_user_by_username":{"username":"x"}}}' });
  });

  test('is reported in the words of the platform', () =>
    assert.throws(() => read('document', data(null, retired)), /document with ID 5 was not found/));
});
