import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { UnreadableEncoding } from '../../lib/web/body.js';
import { failureOf } from '../../lib/web/fetch-failure.js';

const coded = (code: string) => Object.assign(new Error(`internals 10.0.0.1:443 ${code}`), { code });

for (const [code, expected, again] of [
  ['UND_ERR_CONNECT_TIMEOUT', 'platform_timeout', false],
  ['ETIMEDOUT', 'platform_timeout', false],
  ['UND_ERR_HEADERS_TIMEOUT', 'platform_timeout', false],
  ['UND_ERR_BODY_TIMEOUT', 'platform_timeout', false],
  ['EAI_AGAIN', 'platform_unavailable', true],
  ['ECONNREFUSED', 'platform_unavailable', true],
  ['ECONNRESET', 'platform_unavailable', true],
  ['EHOSTUNREACH', 'platform_unavailable', true],
  ['ENETUNREACH', 'platform_unavailable', true],
  ['EPIPE', 'platform_unavailable', true],
  // An interface of this computer went away, or its address did.
  ['EADDRNOTAVAIL', 'platform_unavailable', true],
  ['ECONNABORTED', 'platform_unavailable', true],
  ['EHOSTDOWN', 'platform_unavailable', true],
  ['ENETDOWN', 'platform_unavailable', true],
  ['ENETRESET', 'platform_unavailable', true],
  ['UND_ERR_SOCKET', 'platform_unavailable', true],
  ['ENOTFOUND', 'platform_unavailable', false],
  ['CERT_HAS_EXPIRED', 'platform_unavailable', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'platform_unavailable', false],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'platform_unavailable', false],
  ['Z_DATA_ERROR', 'platform_unavailable', false],
  ['ERR__ERROR_FORMAT_PADDING_1', 'platform_unavailable', false],
  ['SOMETHING_NEW', 'platform_unavailable', false],
] as const) {
  test(`${code} is ${expected}, ${again ? 'worth another try' : 'and stays so'}`, () => {
    const cause = coded(code);
    const failure = failureOf(cause, 'pages.example', null);
    assert.equal(failure?.error.code, expected);
    assert.equal(failure?.isConnectionError, again);
    assert.equal(failure?.error.cause, cause);
    assert.match(
      String(failure?.error.message),
      /^(pages\.example could not be read: .+|Cannot find pages\.example \(DNS\)\..+)\.$/,
    );
    assert.doesNotMatch(String(failure?.error.message), /internals|10\.0\.0\.1/);
  });
}

test('the message of a connection that failed through a proxy names its setting, that of a bad answer does not', () => {
  assert.match(
    String(failureOf(coded('ECONNREFUSED'), 'a.example', 'HTTP_PROXY')?.error.message),
    / \(through the proxy of HTTP_PROXY; check that setting\)\.$/,
  );
  assert.match(
    String(failureOf(coded('ETIMEDOUT'), 'a.example', 'HTTP_PROXY')?.error.message),
    / \(through the proxy of HTTP_PROXY; check that setting\)\.$/,
  );
  assert.doesNotMatch(
    String(failureOf(coded('Z_DATA_ERROR'), 'a.example', 'HTTP_PROXY')?.error.message),
    /proxy/,
  );
});

test('an encoding that cannot be undone is platform_unavailable', () => {
  assert.equal(failureOf(new UnreadableEncoding('x'), 'a.example', null)?.error.code, 'platform_unavailable');
});

test('an error that has its name already keeps it', () => {
  const error = new ExtractError('platform_changed');
  assert.equal(failureOf(error, 'a.example', null)?.error, error);
});

for (const cause of [
  new TypeError('x'),
  new RangeError('x'),
  'text',
  undefined,
  null,
  coded('UND_ERR_INVALID_ARG'),
]) {
  test(`an internal fault is not blamed on the platform: ${String(cause)}`, () => {
    assert.equal(failureOf(cause, 'a.example', null), null);
  });
}
