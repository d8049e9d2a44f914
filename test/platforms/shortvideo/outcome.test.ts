import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { refuse, refuseByCode, refuseWithoutData } from '../../../lib/platforms/shortvideo/outcome.js';
import { scopeOf } from '../../../lib/platforms/shortvideo/scope.js';
import { page } from '../../../lib/web/page.js';

const url = 'https://www.tiktok.com/@mira.kettle';
const html = (body: string, { status = 200, headers = {}, finalUrl = url } = {}) =>
  page(finalUrl, status, headers, Buffer.from(body));

describe('a refusal by its page', () => {
  const challenge =
    '<html><head><script id="slardar-config">{"slardarClient":"SlardarWAF"}</script></head>Please wait...';
  const refusals: [what: string, code: ErrorCode, answer: ReturnType<typeof html>][] = [
    ['401', 'platform_blocked', html('', { status: 401 })],
    ['429', 'platform_rate_limited', html('', { status: 429, headers: { 'retry-after': '7' } })],
    ['451', 'platform_restricted', html('', { status: 451 })],
    ['503 with a challenge in it', 'platform_unavailable', html(challenge, { status: 503 })],
    [
      'a redirect to the login page that was not followed',
      'platform_login_required',
      html('', { status: 302, headers: { location: '/login/phone' } }),
    ],
    [
      'the page of a country without the platform',
      'platform_restricted',
      html('<html>', { finalUrl: 'https://www.tiktok.com/hk/notfound' }),
    ],
    [
      'the page about the platform in a country, in place of the page',
      'platform_restricted',
      html('<html>', { finalUrl: 'https://www.tiktok.com/hk/about' }),
    ],
    [
      'a redirect to that which was not followed',
      'platform_restricted',
      html('', { status: 302, headers: { location: '/hk/about/' } }),
    ],
    [
      'a redirect to it that was not followed',
      'platform_restricted',
      html('', { status: 302, headers: { location: 'https://www.tiktok.com/in/notfound' } }),
    ],
    ['the challenge by its words alone', 'platform_blocked', html('<html><body>\n Please wait...</body>')],
  ];
  for (const [what, code, answer] of refusals) {
    test(`${what} is ${code}`, () => assert.throws(() => refuse(answer), { code }));
  }

  test('429 carries the seconds it asks for', () => {
    assert.throws(() => refuse(html('', { status: 429, headers: { 'retry-after': '7' } })), {
      retryAfter: 7,
    });
  });

  const fine: [what: string, answer: ReturnType<typeof html>][] = [
    ['a page', html('<html>')],
    ['a page of hundreds of KB that holds the words', html(`<html>SlardarWAF captcha${' '.repeat(20_001)}`)],
    [
      'an answer in which a visitor writes the words',
      html('{"comments":[{"text":"_wafchallengeid SlardarWAF"}]}'),
    ],
    ['an account named login', html('<html>', { finalUrl: 'https://www.tiktok.com/@login' })],
    ['an account named about', html('<html>', { finalUrl: 'https://www.tiktok.com/@hk/about' })],
    ['an account named notfound', html('<html>', { finalUrl: 'https://www.tiktok.com/@hk/notfound' })],
    ['an empty 404', html('', { status: 404 })],
    [
      'a redirect that leaves the platform',
      html('', { status: 302, headers: { location: 'https://shop.example/login' } }),
    ],
    ['a redirect to nowhere', html('', { status: 302, headers: { location: 'http://[' } })],
  ];
  for (const [what, answer] of fine) test(`${what} is none yet`, () => refuse(answer));
});

describe('a page without its data', () => {
  for (const sign of [
    'oec-ttweb-captcha',
    'captcha-init',
    'secsdk-captcha',
    'captcha_verify_container',
    'captcha_verify_img_slide',
    '<title>Security Check</title>',
  ]) {
    test(`is a captcha by ${sign}`, () =>
      assert.throws(() => refuseWithoutData(html(`<div>${sign}</div>`)), {
        code: 'platform_blocked',
        message: /captcha/,
      }));
  }
  test('is a shell otherwise, the bare word captcha or not, and says how large', () => {
    assert.throws(() => refuseWithoutData(html('<script src="/captcha/index.js">')), {
      code: 'platform_blocked',
      message: 'The page (200, 32 bytes) came without its data. Wait a few minutes and send fewer requests.',
    });
  });
  test('is unknown if it is not a page, or its status belongs to another one', () => {
    for (const answer of [html('data: 1'), html('<html>', { status: 418 })]) {
      assert.throws(() => refuseWithoutData(answer), { code: 'platform_changed' });
    }
  });

  const script = (scopes: object) =>
    html(
      `<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${JSON.stringify({ __DEFAULT_SCOPE__: scopes })}</script>`,
    );
  const accountScopes = { scopes: ['webapp.user-detail'], apiData: 'userDetail' };
  test('names the scopes that are not known', () => {
    const page = script({ 'webapp.app-context': {}, 'webapp.user-page': { id: 1 }, 'other.scope': {} });
    assert.throws(() => scopeOf(page, accountScopes), {
      code: 'platform_changed',
      message: /it holds webapp\.user-page, other\.scope\. /,
    });
  });
  test('names the keys of the script api-data that are not known', () => {
    const page = html('<script type="application/json" id="api-data">{"userInfos":{"id":"1"}}</script>');
    assert.throws(() => scopeOf(page, accountScopes), {
      code: 'platform_changed',
      message: /it holds api-data\.userInfos\. /,
    });
  });
  test('is unknown if its data script contains a text instead of its data', () => {
    const inText = JSON.stringify(JSON.stringify({ __DEFAULT_SCOPE__: { 'webapp.user-detail': {} } }));
    const page = html(`<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__">${inText}</script>`);
    assert.throws(() => scopeOf(page, accountScopes), { code: 'platform_changed', message: /unknown form/ });
  });
  test('is the frame of a page if no scope is about a subject', () => {
    for (const scopes of [
      {},
      { 'webapp.app-context': {}, 'webapp.biz-context': {}, 'webapp.a-b': {}, 'seo.abtest': {} },
      { 'webapp.reflow.global.shareUser': {}, 'webapp.reflow.video.strategy': {} },
      { 'webapp.user-detail': null },
    ]) {
      assert.throws(() => scopeOf(script(scopes), accountScopes), { code: 'platform_blocked' });
    }
  });
});

describe('a refusal by its status code', () => {
  /** The platform's codes as its front end names them. */
  const codes: [code: ErrorCode, numbers: number[]][] = [
    ['video_not_found', [10201, 10202, 10203, 10204, 10205, 10208, 10210, 10221, 10224]],
    ['platform_blocked', [10000, 10113, 10114]],
    ['platform_login_required', [2483, 10102, 10119]],
    ['platform_unavailable', [450, 10101, 10111, 10404, 100004]],
    ['account_private', [10216, 10222]],
    [
      'platform_restricted',
      [
        10209, 10211, 10212, 10213, 10214, 10215, 10217, 10218, 10219, 10220, 10223, 10225, 10227, 10228,
        10229, 10230, 10231,
      ],
    ],
    ['platform_changed', [-1, 1, 404, 10206, 3002060, 19881007]],
  ];
  for (const [code, numbers] of codes) {
    for (const number of numbers) {
      test(`${number} is ${code}`, () =>
        assert.throws(() => refuseByCode(number, 'video_not_found', 'There is none.'), { code }));
    }
  }
  test('0 is none', () => refuseByCode(0, 'video_not_found', ''));
  test('a missing object is reported in the caller’s words', () => {
    assert.throws(() => refuseByCode(10221, 'profile_not_found', 'Not here.'), {
      code: 'profile_not_found',
      message: /^Not here\. /,
    });
  });
  test('another code is named, with what it means', () => {
    assert.throws(() => refuseByCode(10231, 'video_not_found', ''), {
      message: /10231: closed to this region/,
    });
  });
});
