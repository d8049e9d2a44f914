import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
import { heading, site } from './markup.js';

const changed = { code: 'platform_changed' };

const url = `${site}/in/ilse-brandvik`;
const html = (body: string, { status = 200, headers = {}, finalUrl = url } = {}) =>
  page(finalUrl, status, headers, Buffer.from(body));
const keyed = (key: string, rest = '') =>
  html(`<html><head><meta content="${key}" name="pageKey"></head><body>${rest}</body></html>`);
const padding = (bytes: number) => `<p>${'x'.repeat(bytes)}</p>`;
const stub =
  '<html><head><script>window.onload=function(){window.location.href="https://"+domain+"/authwall?trk=bf&sessionRedirect="+x}</script></head></html>';
const loginHead =
  '<html><head><meta name=appName content=checkpoint-frontend><title>\n LinkedIn Login, Sign in\n</title></head></html>';
const path = (path: string) =>
  html('<html><head><title>x</title></head></html>', { finalUrl: `${site}/${path}` });
const to = (location: string) => html('', { status: 302, headers: { location } });

describe('a response instead of a page', () => {
  for (const [what, code, answer] of [
    ['451', 'platform_restricted', html('', { status: 451 })],
    ['410', 'profile_not_found', html('', { status: 410 })],
    ['400', 'platform_changed', html('', { status: 400 })],
    ['204', 'platform_blocked', html('', { status: 204 })],
    ['the sign-up page by its address', 'platform_login_required', path('signup/cold-join?x=1')],
    ['the sign-up page itself', 'platform_login_required', path('signup')],
    ['the login page by its address', 'platform_login_required', path('login')],
    ['the old login page', 'platform_login_required', path('uas/login?session_redirect=x')],
    ['the phone’s login page', 'platform_login_required', path('m/login/')],
    ['a checkpoint', 'platform_login_required', path('checkpoint/lg/login-submit')],
    ['the page /404', 'profile_not_found', path('404')],
    ['an unavailable profile', 'profile_not_found', path('in/unavailable')],
    ['a redirect to the wall that was not followed', 'platform_login_required', to('/authwall?x=1')],
    ['a redirect to itself', 'platform_blocked', to(url)],
    ['a redirect to nowhere', 'platform_blocked', html('', { status: 301 })],
    ['the wall by its key', 'platform_login_required', keyed('auth_wall_desktop_profile', padding(60_000))],
    ['the sign-up page by its key', 'platform_login_required', keyed('d_registration-cold-join')],
    ['the login page by its key', 'platform_login_required', keyed('d_checkpoint_lg_consumer_login')],
    ['the login page by its service', 'platform_login_required', html(loginHead)],
    ['the guest home', 'platform_blocked', keyed('d_homepage-guest-home', padding(120_000))],
    ['a security check', 'platform_blocked', html('<title>Security Verification</title>')],
    ['a captcha', 'platform_blocked', html('<body><div id="captcha-internal"></div></body>')],
    ['a page of another kind', 'platform_changed', keyed('d_org_guest_company_overview')],
    ['a page for signed-in users', 'platform_changed', keyed('d_flagship3_profile_view_base')],
  ] as const) {
    test(`${what} is ${code}`, () => assert.throws(() => accept(answer, pageKinds.profile), { code }));
  }

  const company = (rest = '') => keyed('d_org_guest_company_overview', rest);
  for (const [what, code, answer] of [
    ['a page with status 404', 'company_not_found', { ...company(), status: 404 }],
    ['a full page with status 404', 'platform_changed', { ...company(heading('Ember')), status: 404 }],
    ['the script that leads to a wall with 404', 'platform_blocked', html(stub, { status: 404 })],
    ['the script that leads to a wall with 410', 'platform_blocked', html(stub, { status: 410 })],
  ] as const) {
    test(`${what} is ${code}`, () => assert.throws(() => accept(answer, pageKinds.company), { code }));
  }
});

describe('a page', () => {
  const words = 'authwall sessionRedirect= captcha security check challenge login /uas/login';
  for (const [what, answer] of [
    ['with the key of its kind, whatever its words', keyed('public_profile_v3_desktop', words)],
    ['for a phone', keyed('public_profile_v3_mobile', words)],
    ['that is large and without a key', html(`<html><body>${words}${padding(21_000)}</body></html>`)],
    ['at a URL that only begins like that of a wall', path('in/authwall')],
    ['of a person with the name login', path('in/login')],
  ] as const) {
    test(`${what} is accepted`, () => assert.equal(accept(answer, pageKinds.profile).html, answer.text()));
  }

  const bodied = (body: string) =>
    html(
      `<html><head><meta content="public_profile_v3_desktop" name="pageKey"><link rel="canonical" href="${url}"></head><body>${body}</body></html>`,
    );
  for (const [what, code, answer] of [
    ['a stub', 'platform_blocked', html('<html></html>')],
    ['a large page', 'platform_changed', html(`<html>${padding(21_000)}</html>`)],
    ['a key alone', 'platform_blocked', keyed('public_profile_v3_desktop')],
    ['the subject without data', 'platform_restricted', bodied('<div id="root"></div>')],
    ['an unknown layout', 'platform_changed', bodied('<main><h1 class="title">Ilse</h1></main>')],
  ] as const) {
    test(`without its element, ${what}, is ${code}`, () =>
      assert.throws(() => refuseWithoutElement(answer, accept(answer, pageKinds.profile), 'a name'), {
        code,
      }));
  }

  test('is cut off if its main element is not closed', () => {
    refuseCutOff('<main></main>');
    refuseCutOff('<html></html>');
    assert.throws(() => refuseCutOff('<html><main><section></section>'), changed);
  });
});

describe('a fragment', () => {
  const words = '<li>authwall captcha security check sessionRedirect=</li>';
  const items = (answer: ReturnType<typeof html>, isFirst = true) =>
    acceptItems(answer, pageKinds.jobs, isFirst);

  test('of items is accepted, whatever words it contains', () => {
    assert.equal(items(html(words))?.html, words);
    assert.equal(acceptFragment(html(words), pageKinds.job).html, words);
    assert.equal(items(html(`<!DOCTYPE html>\n\n${words}`))?.head.pageKey, null);
    assert.equal(items(keyed('d_jobs_guest_search'))?.head.pageKey, 'd_jobs_guest_search');
  });

  for (const body of ['', ' \n', '<!DOCTYPE html>\n\n<!---->\n', '<code id="x"><!--10--></code>']) {
    test(`that is ${JSON.stringify(body)} ends the list`, () => assert.equal(items(html(body)), null));
  }

  test('with status 400 ends the list, except at its beginning', () => {
    assert.equal(items(html('', { status: 400 }), false), null);
    assert.throws(() => items(html('', { status: 400 })), changed);
  });

  for (const [what, code, answer, isFirst] of [
    ['another text', 'platform_changed', html('Too many requests'), true],
    ['the script that leads to a wall', 'platform_blocked', html(stub), true],
    ['a wall', 'platform_login_required', keyed('auth_wall_desktop_jobs'), true],
    ['999', 'platform_blocked', html('', { status: 999 }), false],
    ['429', 'platform_rate_limited', html('', { status: 429 }), false],
  ] as const) {
    test(`that is ${what} is ${code}`, () => assert.throws(() => items(answer, isFirst), { code }));
  }
});

describe('the subject of a page', () => {
  const canonical = (address: string) => `<link rel="canonical" href="${address}">`;
  const about = (address: string) => headOf(`<head>${canonical(address)}</head>`);
  const identity = { kind: 'in', vanity: 'ilse-brandvik' } as const;
  const require = (head: ReturnType<typeof headOf>, finalUrl = url, things: object[] = []) =>
    requireIdentity(html('', { finalUrl }), head, identity, things as Thing[]);
  const other = `${site}/in/jon-halvard`;

  test('is named by its canonical URL on any host', () => {
    for (const address of ['https://no.linkedin.com/in/Ilse-Brandvik', '/public-profile/in/ilse-brandvik/'])
      assert.deepEqual(require(about(address)), identity);
  });

  test('is refused if it is another person', () => {
    const two = headOf(`<head>${canonical(url)}<meta property="og:url" content="${other}"></head>`);
    for (const head of [about(other), about(`${site}/company/ilse-brandvik`), two])
      assert.throws(() => require(head), changed);
  });

  for (const [what, head] of [
    ['that names the home page', about(`${site}/`)],
    ['without a head', headOf('<head></head>')],
  ] as const) {
    test(`is named by its JSON-LD on a page ${what}`, () => {
      assert.throws(() => require(head), changed);
      assert.throws(() => require(head, url, [{ '@type': 'Person', url: other }]), changed);
      assert.deepEqual(require(head, url, [{ '@type': 'Person', sameAs: url }]), identity);
    });
  }

  test('has its new name after a redirect', () => {
    const finalUrl = 'https://no.linkedin.com/in/ilse-b';
    assert.equal(require(about(finalUrl), finalUrl).vanity, 'ilse-b');
    assert.throws(() => require(headOf(''), finalUrl), changed);
  });

  test('is refused on a page with two headings', () => {
    refuseTwoSubjects(['one']);
    assert.throws(() => refuseTwoSubjects(['one', 'two']), changed);
  });
});
