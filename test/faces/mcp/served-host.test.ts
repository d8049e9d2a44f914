import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isTrustedOrigin, servedHosts } from '../../../src/faces/mcp/served-host.js';

const local = servedHosts({ host: '127.0.0.1', allowedHosts: [] }, { docsUrl: 'http://localhost:8787' });
const open = servedHosts(
  { host: '0.0.0.0', allowedHosts: ['tools', 'other.example:8080'] },
  { docsUrl: 'https://api.example.com/v1' },
);

describe('a host', () => {
  test('that no page can have for a name is served, and no other', () => {
    const names = 'localhost localhost:8787 LOCALHOST localhost. app.localhost:1 127.0.0.1:8787 [::1]:8787';
    for (const host of `${names} 192.168.1.4:8787 [2001:db8::1]`.split(' '))
      assert.equal(local(host), true, host);
    const evil = 'evil.example evil.example:8787 localhost.evil.example :80 127.0.0.1.evil.example';
    const others = '127.0.0.1@evil.example evil.example#localhost notlocalhost evil.example/localhost';
    for (const host of [undefined, '', 'a b', ...`${evil} ${others}`.split(' ')])
      assert.equal(local(host), false, String(host));
  });

  test('that the operator set is served on every port, and so is the documentation’s', () => {
    for (const host of ['tools', 'TOOLS:9', 'other.example', 'other.example:1', 'api.example.com'])
      assert.equal(open(host), true, host);
    for (const host of ['tools.evil.example', 'example.com', '0.0.0.0.evil.example'])
      assert.equal(open(host), false);
  });

  test('may be any valid host if the operator allows all', () => {
    const any = servedHosts({ host: '0.0.0.0', allowedHosts: ['*'] }, { docsUrl: 'http://localhost:8787' });
    assert.equal(any('evil.example'), true);
    assert.equal(any(undefined), false);
  });
});

describe('an origin', () => {
  for (const [origin, host, list, isTrusted, why] of [
    [undefined, 'api.example.com', [], true, 'programs send none'],
    ['https://api.example.com', 'api.example.com', [], true, 'the host itself'],
    ['https://API.example.com', 'Api.Example.com', [], true, 'the host itself, in any case'],
    ['http://localhost:6274', 'localhost:8787', [], true, 'of this machine on this machine'],
    ['http://[::1]:6274', '127.0.0.1:8787', [], true, 'of this machine on this machine'],
    ...['https://evil.example', 'http://evil.example', 'null', 'file://', '', 'chrome-extension://x'].map(
      (one) => [one, 'localhost:8787', [], false, 'somebody else'] as const,
    ),
    ['http://localhost:6274', 'api.example.com', [], false, 'of this machine elsewhere'],
    ['https://api.example.com:444', 'api.example.com', [], false, 'another port'],
    ['http://localhost.evil.example', 'localhost', [], false, 'a name that begins alike'],
    ['https://app.example', 'api.example.com', ['https://app.example'], true, 'on the list'],
    ['https://app.example', 'api.example.com', ['https://other.example'], false, 'not on the list'],
    ['https://app.example', 'api.example.com', ['*'], true, 'all are'],
  ] as const) {
    test(`${origin} at ${host}: ${why}`, () => {
      assert.equal(isTrustedOrigin(origin, host, list), isTrusted);
    });
  }
});
