import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redirectTarget, type Target } from '../../lib/web/redirects.js';

const hosts = ['www.site.example', '.media.example'];
const from = 'https://www.site.example/a?b';

/** The request that follows one to this URL with the reader's cookie. */
const redirected = (location: string | undefined, { url = from, status = 302 } = {}) => {
  const headers = { accept: '*/*', cookie: 'own=1' };
  const target: Target = { url: new URL(url), method: 'GET', headers, body: undefined };
  return redirectTarget(target, status, location, hosts);
};

for (const [location, expected] of [
  ['/c', 'https://www.site.example/c'],
  ['c', 'https://www.site.example/c'],
  ['?d', 'https://www.site.example/a?d'],
  ['//cdn.media.example/x', 'https://cdn.media.example/x'],
  ['https://www.site.example:443/x', 'https://www.site.example/x'],
  ['https://evil.example@www.site.example/x', 'https://evil.example@www.site.example/x'],
  ['HTTPS://WWW.SITE.EXAMPLE/x', 'https://www.site.example/x'],
  ['https://media.example/', 'https://media.example/'],
  ['https://a.b.media.example/', 'https://a.b.media.example/'],
  ['https://site.example/', null],
  ['https://x.www.site.example/', null],
  ['https://www.site.example./', null],
  ['https://evilmedia.example/', null],
  ['https://media.example.evil.example/', null],
  ['http://www.site.example/c', null],
  ['https://www.site.example:8443/c', null],
  ['https://www.site.example@evil.example/', null],
  ['https://evil.example/', null],
  ['\\\\evil.example/', null],
  ['https://127.0.0.1/', null],
  ['https://[::ffff:7f00:1]/', null],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['data:text/html,x', null],
  ['https://', null],
  [undefined, null],
] as const) {
  test(`a redirect to ${location} leads to ${expected ?? 'nowhere'}`, () =>
    assert.equal(redirected(location)?.url.href ?? null, expected));
}

test('a redirect from http may stay on http and may rise to https', () => {
  const url = 'http://www.site.example:8080/';
  assert.equal(redirected('/x', { url })?.url.href, 'http://www.site.example:8080/x');
  assert.equal(redirected('https://www.site.example/', { url })?.url.protocol, 'https:');
  assert.equal(redirected('http://www.site.example:9090/', { url }), null);
});

for (const status of [200, 201, 300, 304, 305, 306, 400])
  test(`${status} is not a redirect, even with a location`, () =>
    assert.equal(redirected('/c', { status }), null));

test('the reader’s cookies are only sent to their host', () => {
  assert.equal(redirected('/c')?.headers.cookie, 'own=1');
  assert.deepEqual(redirected('https://media.example/')?.headers, { accept: '*/*' });
});
