import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refuseRequest, refuseVisitor } from '../../../lib/platforms/maps/outcome.js';
import type { Page } from '../../../lib/web/page-source.js';
import { pageOf } from '../../support/pages.js';

const data = `)]}'\n["g-recaptcha and a limited view of Google Maps in a review"]`;
const sorry = 'https://www.google.com/sorry/index?continue=https://www.google.com/maps';

function codeOf(check: (page: Page) => void, page: Page): string | null {
  try {
    check(page);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('refusals of the visitor', () => {
  for (const [name, page, code] of [
    ['429 with a captcha', pageOf('<form id="captcha-form">', { status: 429 }), 'platform_rate_limited'],
    ['the way to it', pageOf('', { status: 302, headers: { location: sorry } }), 'platform_rate_limited'],
    [
      'the same on another host',
      pageOf('<html>', { url: 'https://ipv4.google.com/sorry/index?x' }),
      'platform_rate_limited',
    ],
    [
      'its short form',
      pageOf('<title>Sorry...</title> your computer or network may be sending automated queries'),
      'platform_blocked',
    ],
    [
      'the way to signing in',
      pageOf('', { status: 302, headers: { location: 'https://accounts.google.com/ServiceLogin' } }),
      'platform_login_required',
    ],
    ['a limited view in Polish', pageOf('<html>ograniczony widok Map'), 'platform_login_required'],
  ] as const) {
    test(`${name} is ${code}`, () => assert.equal(codeOf(refuseVisitor, page), code));
  }

  test('the page about unusual traffic speaks of the address, whatever was asked for', () => {
    const [led, slow] = [
      pageOf('', { status: 302, headers: { location: sorry } }),
      pageOf('', { status: 429 }),
    ];
    assert.throws(() => refuseVisitor(led), { scope: 'address' });
    assert.throws(() => refuseVisitor(slow), { scope: 'subject' });
  });

  test('a page that says when to come back passes it on', () => {
    assert.throws(() => refuseVisitor(pageOf('', { status: 429, headers: { 'retry-after': '30' } })), {
      retryAfter: 30,
    });
  });

  test('data that quotes the words of a refusal is data', () => {
    assert.equal(codeOf(refuseVisitor, pageOf(data)), null);
    assert.equal(codeOf(refuseVisitor, pageOf('<html>plain')), null);
    assert.equal(codeOf(refuseVisitor, pageOf('', { url: 'https://www.google.com/maps?x=/sorry/' })), null);
  });
});

describe('refusals of a request', () => {
  for (const [name, page, code] of [
    ['451', pageOf('', { status: 451 }), 'platform_restricted'],
    ['410', pageOf('<html>', { status: 410 }), 'platform_changed'],
    [
      'a redirect off the platform',
      pageOf('', { status: 302, headers: { location: 'https://x.example' } }),
      'platform_blocked',
    ],
    ['what is neither data nor a page', pageOf('wrb.fr'), 'platform_changed'],
  ] as const) {
    test(`${name} is ${code}`, () => assert.equal(codeOf(refuseRequest, page), code));
  }

  test('404 is place_not_found where the request was for the place itself', () => {
    assert.throws(() => refuseRequest(pageOf('<html>', { status: 404 }), 'place_not_found'), {
      code: 'place_not_found',
    });
  });

  test('data is none', () => assert.equal(codeOf(refuseRequest, pageOf(data)), null));
});
