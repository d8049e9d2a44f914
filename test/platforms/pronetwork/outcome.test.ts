import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { Thing } from '../../../lib/platforms/pronetwork/json-ld.js';
import {
  accept,
  acceptFragment,
  acceptItems,
  pageKinds,
  refuseCutOff,
  refuseWithoutElement,
} from '../../../lib/platforms/pronetwork/outcome.js';
import { headOf, refuseTwoSubjects, requireIdentity } from '../../../lib/platforms/pronetwork/page-head.js';
import { page } from '../../../lib/web/page.js';

const url = 'https://www.linkedin.com/in/ilse-brandvik';
const html = (body: string, { status = 200, headers = {}, finalUrl = url } = {}) =>
  page(finalUrl, status, headers, Buffer.from(body));
const keyed = (key: string, rest = '') =>
  html(`<html><head><meta content="${key}" name="pageKey"></head><body>${rest}</body></html>`);
const padding = (bytes: number) => `<p>${'x'.repeat(bytes)}</p>`;
const stub =
  '<html><head><script>window.onload=function(){window.location.href="https://"+domain+"/authwall?trk=bf&sessionRedirect="+x}</script></head></html>';
const path = (finalUrl: string) => html('<html><head><title>x</title></head></html>', { finalUrl });
const site = 'https://www.linkedin.com';

describe('a refusal instead of a page', () => {
  const refusals: [what: string, code: ErrorCode, answer: ReturnType<typeof html>][] = [
    ['451', 'platform_restricted', html('', { status: 451 })],
    ['410', 'profile_not_found', html('', { status: 410 })],
    ['400', 'platform_changed', html('', { status: 400 })],
    ['204', 'platform_blocked', html('', { status: 204 })],
    ['the sign-up page by its address', 'platform_login_required', path(`${site}/signup/cold-join?x=1`)],
    ['the sign-up page itself', 'platform_login_required', path(`${site}/signup`)],
    ['the login page by its address', 'platform_login_required', path(`${site}/login`)],
    ['the old login page', 'platform_login_required', path(`${site}/uas/login?session_redirect=x`)],
    ['the phone’s login page', 'platform_login_required', path(`${site}/m/login/`)],
    ['a checkpoint', 'platform_login_required', path(`${site}/checkpoint/lg/login-submit`)],
    ['a page of its own for what is not there', 'profile_not_found', path(`${site}/404`)],
    ['an unavailable profile', 'profile_not_found', path(`${site}/in/unavailable`)],
    [
      'a redirect to the wall that was not followed',
      'platform_login_required',
      html('', { status: 302, headers: { location: '/authwall?x=1' } }),
    ],
    ['a redirect in a circle', 'platform_blocked', html('', { status: 302, headers: { location: url } })],
    ['a redirect to nowhere', 'platform_blocked', html('', { status: 301 })],
    ['the wall by its key', 'platform_login_required', keyed('auth_wall_desktop_profile', padding(60_000))],
    ['the sign-up page by its key', 'platform_login_required', keyed('d_registration-cold-join')],
    ['the login page by its key', 'platform_login_required', keyed('d_checkpoint_lg_consumer_login')],
    [
      'the login page by its service',
      'platform_login_required',
      html(
        '<html><head><meta name=appName content=checkpoint-frontend><title>\n LinkedIn Login, Sign in\n</title></head></html>',
      ),
    ],
    ['the guest home', 'platform_blocked', keyed('d_homepage-guest-home', padding(120_000))],
    ['a security check', 'platform_blocked', html('<title>Security Verification</title>')],
    ['a captcha', 'platform_blocked', html('<body><div id="captcha-internal"></div></body>')],
    ['a page of another kind', 'platform_changed', keyed('d_org_guest_company_overview')],
    ['a page for people who are signed in', 'platform_changed', keyed('d_flagship3_profile_view_base')],
  ];
  for (const [what, code, answer] of refusals) {
    test(`${what} is ${code}`, () => assert.throws(() => accept(answer, pageKinds.profile), { code }));
  }

  test('what a status means goes before what the page says, save for the script that leads to a wall', () => {
    const missing = keyed('d_org_guest_company_overview');
    assert.throws(() => accept({ ...missing, status: 404 }, pageKinds.company), {
      code: 'company_not_found',
    });
    const full = keyed('d_org_guest_company_overview', '<h1 class="top-card-layout__title">Ember</h1>');
    assert.throws(() => accept({ ...full, status: 404 }, pageKinds.company), { code: 'platform_changed' });
    for (const status of [404, 410])
      assert.throws(() => accept(html(stub, { status }), pageKinds.company), { code: 'platform_blocked' });
  });
});

describe('a page that is none', () => {
  const words = 'authwall sessionRedirect= captcha security check challenge login /uas/login';
  for (const [what, answer] of [
    ['with the key of its kind, whatever words it holds', keyed('public_profile_v3_desktop', words)],
    ['for a phone', keyed('public_profile_v3_mobile', words)],
    [
      'large, without a key, whatever words it holds',
      html(`<html><body>${words}${padding(21_000)}</body></html>`),
    ],
    ['at an address that only begins like a refusal’s', path(`${site}/in/authwall`)],
    ['at the address of a person called login', path(`${site}/in/login`)],
  ] as const) {
    test(`${what} is accepted`, () => {
      assert.equal(accept(answer, pageKinds.profile).html, answer.text());
    });
  }

  test('without its element: a stub, the subject without data, or a layout that is not known', () => {
    const outcomeOf = (answer: ReturnType<typeof html>) => () =>
      refuseWithoutElement(answer, accept(answer, pageKinds.profile), 'a name');
    assert.throws(outcomeOf(html('<html></html>')), { code: 'platform_blocked' });
    assert.throws(outcomeOf(html(`<html>${padding(21_000)}</html>`)), { code: 'platform_changed' });
    assert.throws(outcomeOf(keyed('public_profile_v3_desktop')), { code: 'platform_blocked' });
    const withBody = (body: string) =>
      html(
        `<html><head><meta content="public_profile_v3_desktop" name="pageKey"><link rel="canonical" href="${url}"></head><body>${body}</body></html>`,
      );
    assert.throws(outcomeOf(withBody('<div id="root"></div>')), { code: 'platform_restricted' });
    assert.throws(outcomeOf(withBody('<main><h1 class="title">Ilse</h1></main>')), {
      code: 'platform_changed',
    });
  });

  test('a page is complete when its main part ends', () => {
    refuseCutOff('<main></main>');
    refuseCutOff('<html></html>');
    assert.throws(() => refuseCutOff('<html><main><section></section>'), { code: 'platform_changed' });
  });
});

describe('a fragment', () => {
  const words = '<li>authwall captcha security check sessionRedirect=</li>';

  test('of items is accepted, whatever words it contains', () => {
    assert.equal(acceptItems(html(words), pageKinds.jobs, true)?.html, words);
    assert.equal(acceptFragment(html(words), pageKinds.job).html, words);
    assert.equal(acceptItems(html(`<!DOCTYPE html>\n\n${words}`), pageKinds.jobs, true)?.head.pageKey, null);
  });

  test('that is empty ends the list', () => {
    for (const body of [
      '',
      ' \n',
      '<!DOCTYPE html>\n\n<!---->\n',
      '<code id="x" style="display: none"><!--10--></code>',
    ])
      assert.equal(acceptItems(html(body), pageKinds.jobs, true), null, body);
  });

  test('that is a 400 ends the list, but not at its beginning', () => {
    assert.equal(acceptItems(html('', { status: 400 }), pageKinds.jobs, false), null);
    assert.throws(() => acceptItems(html('', { status: 400 }), pageKinds.jobs, true), {
      code: 'platform_changed',
    });
  });

  test('that is another thing is changed, and that is a page is held as one', () => {
    assert.throws(() => acceptItems(html('Too many requests'), pageKinds.jobs, true), {
      code: 'platform_changed',
    });
    assert.throws(() => acceptItems(html(stub), pageKinds.jobs, true), { code: 'platform_blocked' });
    assert.throws(() => acceptItems(keyed('auth_wall_desktop_jobs'), pageKinds.jobs, true), {
      code: 'platform_login_required',
    });
    assert.throws(() => acceptItems(html('', { status: 999 }), pageKinds.jobs, false), {
      code: 'platform_blocked',
    });
    assert.throws(() => acceptItems(html('', { status: 429 }), pageKinds.jobs, false), {
      code: 'platform_rate_limited',
    });
    assert.equal(
      acceptItems(keyed('d_jobs_guest_search'), pageKinds.jobs, true)?.head.pageKey,
      'd_jobs_guest_search',
    );
  });
});

describe('whom a page is about', () => {
  const about = (canonical: string) => headOf(`<head><link rel="canonical" href="${canonical}"></head>`);
  const identity = { kind: 'in', vanity: 'ilse-brandvik' } as const;

  const require = (head: ReturnType<typeof headOf>, finalUrl = url, things: object[] = []) =>
    requireIdentity(html('', { finalUrl }), head, identity, things as Thing[]);
  const changed = { code: 'platform_changed' };

  test('its own address says so, whichever host it is on', () => {
    assert.deepEqual(require(about('https://no.linkedin.com/in/Ilse-Brandvik')), identity);
    assert.deepEqual(require(about('/public-profile/in/ilse-brandvik/')), identity);
  });

  test('another person’s page is never returned', () => {
    assert.throws(() => require(about(`${site}/in/jon-halvard`)), changed);
    assert.throws(() => require(about(`${site}/company/ilse-brandvik`)), changed);
    const two = headOf(
      `<head><link rel="canonical" href="${url}"><meta property="og:url" content="${site}/in/jon-halvard"></head>`,
    );
    assert.throws(() => require(two), changed);
  });

  test('an anonymous page belongs to no one, unless its JSON-LD names somebody', () => {
    for (const head of [about(`${site}/`), headOf('<head></head>')]) {
      assert.throws(() => require(head), changed);
      assert.throws(
        () => require(head, url, [{ '@type': 'Person', url: `${site}/in/jon-halvard` }]),
        changed,
      );
      assert.deepEqual(require(head, url, [{ '@type': 'Person', sameAs: url }]), identity);
    }
  });

  test('a redirect to a new name is followed', () => {
    const finalUrl = 'https://no.linkedin.com/in/ilse-b';
    assert.equal(require(about(finalUrl), finalUrl).vanity, 'ilse-b');
    assert.throws(() => require(headOf(''), finalUrl), changed);
  });

  test('two heads make two subjects', () => {
    refuseTwoSubjects(['one']);
    assert.throws(() => refuseTwoSubjects(['one', 'two']), changed);
  });
});
