import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isTrustedOrigin, servedHosts } from '../../../src/faces/mcp/served-host.js';

const local = servedHosts({ host: '127.0.0.1', allowedHosts: [] }, { docsUrl: 'http://localhost:8787' });
const open = servedHosts(
  { host: '0.0.0.0', allowedHosts: ['tools', 'other.example:8080'] },
  { docsUrl: 'https://api.example.com/v1' },
);

describe('a host', () => {
  for (const host of [
    'localhost',
    'localhost:8787',
    'LOCALHOST',
    'localhost.',
    'app.localhost:1',
    '127.0.0.1:8787',
    '[::1]:8787',
    '192.168.1.4:8787',
    '[2001:db8::1]',
  ]) {
    test(`${host} is served: no page can have it for a name`, () => assert.equal(local(host), true));
  }

  for (const host of [
    undefined,
    '',
    'evil.example',
    'evil.example:8787',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    'notlocalhost',
    'a b',
    ':80',
  ]) {
    test(`${JSON.stringify(host)} is not`, () => assert.equal(local(host), false));
  }

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
  const trusts = (origin: string | undefined, host: string, list: string[] = []) =>
    isTrustedOrigin(origin, host, list);

  test('is not sent by programs', () => assert.equal(trusts(undefined, 'api.example.com'), true));

  test('is trusted when it is the host itself, or one of this machine’s on this machine', () => {
    assert.equal(trusts('https://api.example.com', 'api.example.com'), true);
    assert.equal(trusts('https://API.example.com', 'Api.Example.com'), true);
    assert.equal(trusts('http://localhost:6274', 'localhost:8787'), true);
    assert.equal(trusts('http://[::1]:6274', '127.0.0.1:8787'), true);
  });

  test('is not trusted otherwise', () => {
    for (const origin of [
      'https://evil.example',
      'http://evil.example',
      'null',
      'file://',
      '',
      'chrome-extension://x',
    ])
      assert.equal(trusts(origin, 'localhost:8787'), false, origin);
    assert.equal(trusts('http://localhost:6274', 'api.example.com'), false);
    assert.equal(trusts('https://api.example.com:444', 'api.example.com'), false);
    assert.equal(trusts('http://localhost.evil.example', 'localhost'), false);
  });

  test('is trusted when the operator lists it, or all', () => {
    assert.equal(trusts('https://app.example', 'api.example.com', ['https://app.example']), true);
    assert.equal(trusts('https://app.example', 'api.example.com', ['https://other.example']), false);
    assert.equal(trusts('https://app.example', 'api.example.com', ['*']), true);
  });
});
