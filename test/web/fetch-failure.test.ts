import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { UnreadableEncoding } from '../../lib/web/body.js';
import { failureOf } from '../../lib/web/fetch-failure.js';

const coded = (code: string) => Object.assign(new Error(`internals 10.0.0.1:443 ${code}`), { code });

const failures = [
  [
    'platform_timeout',
    false,
    'UND_ERR_CONNECT_TIMEOUT ETIMEDOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT',
  ],
  [
    'platform_unavailable',
    true,
    'EAI_AGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH EPIPE EADDRNOTAVAIL ECONNABORTED EHOSTDOWN ENETDOWN ENETRESET UND_ERR_SOCKET',
  ],
  [
    'platform_unavailable',
    false,
    'ENOTFOUND CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID SELF_SIGNED_CERT_IN_CHAIN Z_DATA_ERROR ERR__ERROR_FORMAT_PADDING_1 SOMETHING_NEW',
  ],
] as const;

for (const [code, expected, again] of failures.flatMap(([expected, again, codes]) =>
  codes.split(' ').map((code) => [code, expected, again] as const),
)) {
  test(`${code} is ${expected}, ${again ? 'and is retried' : 'and is not retried'}`, () => {
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

for (const [code, isOfProxy] of [
  ['ECONNREFUSED', true],
  ['ETIMEDOUT', true],
  ['Z_DATA_ERROR', false],
] as const) {
  test(`the message of ${code} through a proxy ${isOfProxy ? 'names' : 'does not name'} its setting`, () => {
    const { message = '' } = failureOf(coded(code), 'a.example', 'HTTP_PROXY')?.error ?? {};
    const named = / \(through the proxy of HTTP_PROXY; check that setting\)\.$/;
    assert.equal(named.test(message), isOfProxy);
    assert.equal(message.includes('proxy'), isOfProxy);
  });
}

test('an encoding that cannot be undone is platform_unavailable', () => {
  assert.equal(failureOf(new UnreadableEncoding('x'), 'a.example', null)?.error.code, 'platform_unavailable');
});

test('an ExtractError is unchanged', () => {
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
