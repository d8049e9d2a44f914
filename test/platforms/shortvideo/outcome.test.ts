import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { refuse, refuseByCode, refuseWithoutData } from '../../../lib/platforms/shortvideo/outcome.js';
import { scopeOf } from '../../../lib/platforms/shortvideo/scope.js';
import { page } from '../../../lib/web/page.js';
import { thrownCode } from '../../support/error-code.js';
import { dataPage } from './read-case.js';

const url = 'https://www.tiktok.com/@mira.kettle';
const html = (body: string, { status = 200, headers = {}, finalUrl = url } = {}) =>
  page(finalUrl, status, headers, Buffer.from(body));

describe('a refusal by its page', () => {
  const challenge =
    '<html><head><script id="slardar-config">{"slardarClient":"SlardarWAF"}</script></head>Please wait...';
  const site = 'https://www.tiktok.com';
  const at = (path: string) => html('<html>', { finalUrl: `${site}${path}` });
  const to = (location: string) => html('', { status: 302, headers: { location } });
  const slow = html('', { status: 429, headers: { 'retry-after': '7' } });
  for (const [what, code, answer] of [
    ['401', 'platform_blocked', html('', { status: 401 })],
    ['429', 'platform_rate_limited', slow],
    ['451', 'platform_restricted', html('', { status: 451 })],
    ['503 with a challenge in it', 'platform_unavailable', html(challenge, { status: 503 })],
    ['a redirect to the login page', 'platform_login_required', to('/login/phone')],
    ['the page of a country without the platform', 'platform_restricted', at('/hk/notfound')],
    ['the page about the platform in a country', 'platform_restricted', at('/hk/about')],
    ['a redirect to the page about the platform', 'platform_restricted', to('/hk/about/')],
    ['a redirect to the page of a country', 'platform_restricted', to(`${site}/in/notfound`)],
    ['the challenge by its words alone', 'platform_blocked', html('<html><body>\n Please wait...</body>')],
    ['a page', 'none', html('<html>')],
    ['a large page with the words', 'none', html(`<html>SlardarWAF captcha${' '.repeat(20_001)}`)],
    ['data with the words', 'none', html('{"comments":[{"text":"_wafchallengeid SlardarWAF"}]}')],
    ['an account named login', 'none', at('/@login')],
    ['an account named about', 'none', at('/@hk/about')],
    ['an account named notfound', 'none', at('/@hk/notfound')],
    ['an empty 404', 'none', html('', { status: 404 })],
    ['a redirect that leaves the platform', 'none', to('https://shop.example/login')],
    ['a redirect to nowhere', 'none', to('http://[')],
  ] as const) {
    test(`${what}: ${code}`, () =>
      assert.equal(
        thrownCode(() => refuse(answer)),
        code,
      ));
  }

  test('has the seconds to wait of a 429', () => assert.throws(() => refuse(slow), { retryAfter: 7 }));
});

describe('a page without its data', () => {
  for (const sign of [
    ...['oec-ttweb-captcha', 'captcha-init', 'secsdk-captcha', 'captcha_verify_container'],
    ...['captcha_verify_img_slide', '<title>Security Check</title>'],
  ]) {
    test(`is a captcha by ${sign}`, () => {
      const error = { code: 'platform_blocked', message: /captcha/ };
      assert.throws(() => refuseWithoutData(html(`<div>${sign}</div>`)), error);
    });
  }

  test('is otherwise a shell, whose size is reported', () => {
    assert.throws(() => refuseWithoutData(html('<script src="/captcha/index.js">')), {
      code: 'platform_blocked',
      message: 'The page (200, 32 bytes) lacks its data. Wait a few minutes and send fewer requests.',
    });
  });

  test('is platform_changed if it is not HTML, or has an unknown status', () => {
    for (const answer of [html('data: 1'), html('<html>', { status: 418 })])
      assert.throws(() => refuseWithoutData(answer), { code: 'platform_changed' });
  });

  const accountScopes = { scopes: ['webapp.user-detail'], apiData: 'userDetail' };
  const inText = JSON.stringify(JSON.stringify({ __DEFAULT_SCOPE__: { 'webapp.user-detail': {} } }));
  const unknown = { 'webapp.app-context': {}, 'webapp.user-page': { id: 1 }, 'other.scope': {} };
  const frame = { 'webapp.app-context': {}, 'webapp.biz-context': {}, 'webapp.a-b': {}, 'seo.abtest': {} };
  const reflow = { 'webapp.reflow.global.shareUser': {}, 'webapp.reflow.video.strategy': {} };
  const apiData = '<script type="application/json" id="api-data">{"userInfos":{"id":"1"}}</script>';
  for (const [what, body, code, message] of [
    [
      'is platform_changed with unknown scopes, which are named',
      dataPage(unknown),
      'platform_changed',
      /the page has webapp\.user-page, other\.scope\. /,
    ],
    [
      'is platform_changed with unknown keys of api-data, which are named',
      apiData,
      'platform_changed',
      /the page has api-data\.userInfos\. /,
    ],
    [
      'is platform_changed with a text instead of data',
      `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${inText}</script>`,
      ...(['platform_changed', /unknown form/] as const),
    ],
    ['is platform_blocked without scopes', dataPage({}), 'platform_blocked', /./],
    ['is platform_blocked with scopes of the site only', dataPage(frame), 'platform_blocked', /./],
    ['is platform_blocked with scopes of a phone’s page only', dataPage(reflow), 'platform_blocked', /./],
    [
      'is platform_blocked with an empty scope',
      dataPage({ 'webapp.user-detail': null }),
      'platform_blocked',
      /./,
    ],
  ] as const) {
    test(what, () => assert.throws(() => scopeOf(html(body), accountScopes), { code, message }));
  }
});

describe('a refusal by its status code', () => {
  /** The platform's codes as its front end names them. */
  const restricted = [10209, 10211, 10212, 10213, 10214, 10215, 10217, 10218, 10219, 10220];
  const codes: [code: ErrorCode, numbers: number[]][] = [
    ['video_not_found', [10201, 10202, 10203, 10204, 10205, 10208, 10210, 10221, 10224]],
    ['platform_blocked', [10000, 10113, 10114]],
    ['platform_login_required', [2483, 10102, 10119]],
    ['platform_unavailable', [450, 10101, 10111, 10404, 100004]],
    ['account_private', [10216, 10222]],
    ['platform_restricted', [...restricted, 10223, 10225, 10227, 10228, 10229, 10230, 10231]],
    ['platform_changed', [-1, 1, 404, 10206, 3002060, 19881007]],
  ];
  for (const [code, numbers] of codes) {
    for (const number of numbers) {
      test(`${number} is ${code}`, () =>
        assert.throws(() => refuseByCode(number, 'video_not_found', 'There is none.'), { code }));
    }
  }
  test('0 is not an error', () => refuseByCode(0, 'video_not_found', ''));
  test('a missing object is reported in words of the caller', () => {
    assert.throws(() => refuseByCode(10221, 'profile_not_found', 'Not here.'), {
      code: 'profile_not_found',
      message: /^Not here\. /,
    });
  });
  test('other codes are named with their meaning', () => {
    assert.throws(() => refuseByCode(10231, 'video_not_found', ''), {
      message: /10231: closed to this region/,
    });
  });
});
