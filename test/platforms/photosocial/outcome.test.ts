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
  readonly headers?: Record<string, string>;
  readonly url?: string;
}

function outcome(source: Source, { text = '', status = 200, headers = {}, url: at = url }: Answer): string {
  try {
    find(page(at, status, headers, Buffer.from(text)), source, profileSubject, missing, () => true);
    return 'found';
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}

const route = (name: string) =>
  `<html><script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.${name}"}</script></html>`;
const ofAnother = '<head><meta property="og:url" content="https://www.instagram.com/mossy.kiln/"></head>';
const entry = (name: string) => `<script>window._sharedData = {"entry_data":{"${name}":[{}]}};</script>`;
const message = (text: string, more = {}) => JSON.stringify({ message: text, status: 'fail', ...more });

describe('what a page can be instead', () => {
  const cases: [name: string, answer: Answer, code: string][] = [
    [
      'a suspended visitor',
      { url: 'https://www.instagram.com/accounts/suspended/' },
      'platform_login_required',
    ],
    [
      'back to the home page',
      { url: 'https://www.instagram.com/', text: '<html>' },
      'platform_login_required',
    ],
    [
      'a redirect to login',
      { status: 302, headers: { location: '/accounts/login/' } },
      'platform_login_required',
    ],
    [
      'a redirect elsewhere',
      { status: 302, headers: { location: 'https://x.example/a' } },
      'platform_blocked',
    ],
    ['a legacy login page', { text: entry('LoginAndSignupPage') }, 'platform_login_required'],
    ['a login title', { text: '<html><title>Login • Instagram</title>' }, 'platform_login_required'],
    ['403 login_required', { status: 403, text: message('login_required') }, 'platform_login_required'],
    ['feedback_required', { status: 400, text: message('feedback_required') }, 'platform_rate_limited'],
    ['a legacy challenge', { text: entry('Challenge') }, 'platform_blocked'],
    ['neither route nor data', { text: `<html>${'<link>'.repeat(1000)}` }, 'platform_blocked'],
    ['useragent mismatch', { status: 400, text: message('useragent mismatch') }, 'platform_blocked'],
    [
      'the right route on another account’s page',
      { text: ofAnother + route('PolarisLoggedOutDesktopWWWProfileRoute') },
      'platform_changed',
    ],
    ['another account’s page without a route', { text: `${ofAnother}<html>` }, 'platform_changed'],
    ['a new route without data', { text: route('PolarisNewRoute') }, 'platform_changed'],
    ['a legacy error page', { text: entry('HttpErrorPage') }, 'profile_not_found'],
    [
      'a title that says so',
      { text: '<html><title>Page Not Found • Instagram</title>' },
      'profile_not_found',
    ],
    [
      'an account whose name is that title',
      { text: '<html><title>Page Not Found (@harbor.lantern) • Instagram photos and videos</title>' },
      'platform_blocked',
    ],
    [
      'a title that holds the words of a post',
      { text: '<html><title>Mira on Instagram: "Sorry, this page isn’t available"</title>' },
      'platform_blocked',
    ],
    ['451', { status: 451, text: '<html>' }, 'platform_restricted'],
    ['410', { status: 410, text: '<html>' }, 'platform_blocked'],
  ];
  for (const [name, answer, code] of cases) {
    test(`${name}: ${code}`, () => assert.equal(outcome('page', answer), code));
  }
});

describe('what a document can answer instead', () => {
  const data = (value: unknown, more = {}) => ({ text: JSON.stringify({ data: value, ...more }) });
  const errors = (...messages: string[]) => ({ errors: messages.map((text) => ({ message: text })) });
  const cases: [name: string, answer: Answer, code: string][] = [
    ['null: there is none', data({ xig_user_by_username: null }), 'profile_not_found'],
    [
      'null of the older shape',
      { text: '{"data":{"viewer":{},"user":null},"status":"ok"}' },
      'profile_not_found',
    ],
    ['null because of an error', data({ user: null }, errors('execution error')), 'platform_changed'],
    ['a missing variable', data(null, errors('missing_required_variable_value')), 'platform_changed'],
    ['a retired id', data(null, errors('The GraphQL document with ID 1 was not found.')), 'platform_changed'],
    [
      'a question it cannot read',
      { text: 'for (;;);{"__ar":1,"error":1357004,"errorSummary":"Sorry, something went wrong"}' },
      'platform_changed',
    ],
    ['withheld here or missing', data(null, errors('field_exception')), 'profile_not_found'],
    [
      'too many questions',
      data(null, { errors: [{ code: 1675004, message: 'Rate limit exceeded' }] }),
      'platform_rate_limited',
    ],
    ['a page where data was due', { text: '<html>' }, 'platform_blocked'],
    ['the error page proves nothing', { text: route('PolarisErrorRoute') }, 'platform_blocked'],
    ['404 proves nothing', { status: 404, text: '<html>' }, 'platform_changed'],
    ['401', { status: 401, text: '{"message":"","require_login":true}' }, 'platform_login_required'],
    ['400', { status: 400, text: message('Unauthorized logged out query') }, 'platform_blocked'],
    ['data of something else', data({ something: {} }), 'platform_changed'],
    ['nothing', {}, 'platform_blocked'],
    ['what is asked for', data({ xig_user_by_username: { username: 'x' } }), 'found'],
  ];
  for (const [name, answer, code] of cases) {
    test(`${name}: ${code}`, () => assert.equal(outcome('document', answer), code));
  }

  test('the words of the platform are in the message', () => {
    const answer = page(
      url,
      200,
      {},
      Buffer.from('{"errors":[{"message":"The GraphQL document with ID 5 was not found."}]}'),
    );
    assert.throws(
      () => find(answer, 'document', profileSubject, missing, () => true),
      /document with ID 5 was not found/,
    );
  });
});
