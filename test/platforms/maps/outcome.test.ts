import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refuseRequest, refuseVisitor } from '../../../lib/platforms/maps/outcome.js';
import { thrownCode } from '../../support/error-code.js';
import { pageOf } from '../../support/pages.js';

const data = `)]}'\n["g-recaptcha and a limited view of Google Maps in a review"]`;
const sorry = 'https://www.google.com/sorry/index?continue=https://www.google.com/maps';

const leading = (location: string) => pageOf('', { status: 302, headers: { location } });
const short = '<title>Sorry...</title> your computer or network may be sending automated queries';

describe('refusals of the visitor', () => {
  for (const [name, page, code] of [
    ['429 with a captcha', pageOf('<form id="captcha-form">', { status: 429 }), 'platform_rate_limited'],
    ['a redirect to it', leading(sorry), 'platform_rate_limited'],
    [
      'the same on another host',
      pageOf('', { url: 'https://ipv4.google.com/sorry/index?x' }),
      'platform_rate_limited',
    ],
    ['its short form', pageOf(short), 'platform_blocked'],
    ['a redirect to a login', leading('https://accounts.google.com/ServiceLogin'), 'platform_login_required'],
    ['a limited view in Polish', pageOf('<html>ograniczony widok Map'), 'platform_login_required'],
    ['data that quotes a refusal', pageOf(data), 'none'],
    ['a plain page', pageOf('<html>plain'), 'none'],
    [
      'an address that quotes a refusal',
      pageOf('', { url: 'https://www.google.com/maps?x=/sorry/' }),
      'none',
    ],
  ] as const) {
    test(`${name} is ${code}`, () =>
      assert.equal(
        thrownCode(() => refuseVisitor(page)),
        code,
      ));
  }

  test('the page about unusual traffic refuses the address, whatever was requested', () => {
    assert.throws(() => refuseVisitor(leading(sorry)), { scope: 'address' });
    assert.throws(() => refuseVisitor(pageOf('', { status: 429 })), { scope: 'subject' });
  });

  test('the seconds to wait are passed on', () => {
    const page = pageOf('', { status: 429, headers: { 'retry-after': '30' } });
    assert.throws(() => refuseVisitor(page), { retryAfter: 30 });
  });
});

describe('refusals of a request', () => {
  for (const [name, page, code] of [
    ['451', pageOf('', { status: 451 }), 'platform_restricted'],
    ['410', pageOf('<html>', { status: 410 }), 'platform_changed'],
    ['a redirect off the platform', leading('https://x.example'), 'platform_blocked'],
    ['neither data nor a page', pageOf('wrb.fr'), 'platform_changed'],
    ['data', pageOf(data), 'none'],
  ] as const) {
    test(`${name} is ${code}`, () =>
      assert.equal(
        thrownCode(() => refuseRequest(page)),
        code,
      ));
  }

  test('404 is place_not_found if the place itself was requested', () => {
    const page = pageOf('<html>', { status: 404 });
    assert.equal(
      thrownCode(() => refuseRequest(page, 'place_not_found')),
      'place_not_found',
    );
  });
});
