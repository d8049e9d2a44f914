import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerValues, pageHeaders } from '../../lib/web/headers.js';

const now = Date.parse('2026-01-01T00:00:00Z');

test('names are lower-case and repeated values joined', () => {
  const headers = pageHeaders({ 'X-One': 'a', 'x-two': ['b', 'c'], 'x-none': undefined }, now);
  assert.deepEqual(headers, { 'x-one': 'a', 'x-two': 'b, c' });
});

test('cookies, encoding and length are omitted', () => {
  const raw = {
    'Set-Cookie': ['a=1'],
    'content-encoding': 'gzip',
    'Content-Length': '5',
    'content-type': 'x',
  };
  assert.deepEqual(pageHeaders(raw, now), { 'content-type': 'x' });
});

for (const [header, expected] of [
  ['30', '30'],
  [['7', '9'], '7'],
  ['Thu, 01 Jan 2026 00:00:10 GMT', '10'],
  ['Wed, 31 Dec 2025 00:00:00 GMT', '0'],
  ['-5', undefined],
  ['1e9', undefined],
  [[], undefined],
] as const) {
  test(`Retry-After ${JSON.stringify(header)} reads ${expected ?? 'as none'}`, () => {
    assert.equal(pageHeaders({ 'Retry-After': header }, now)['retry-after'], expected);
  });
}

test('Retry-After in the oldest date format is in GMT in any time zone', () => {
  const { TZ } = process.env;
  process.env.TZ = 'America/New_York';
  try {
    assert.equal(pageHeaders({ 'retry-after': 'Thu Jan  1 00:00:10 2026' }, now)['retry-after'], '10');
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test('a header named __proto__ is a header like any other', () => {
  const headers = pageHeaders(JSON.parse('{"__proto__":"x","constructor":"y"}'), now);
  assert.equal(Object.getPrototypeOf(headers), Object.prototype);
  assert.equal(Object.hasOwn(headers, '__proto__'), true);
});

test('the values of a header are found in any case of its name', () => {
  assert.deepEqual(headerValues({ LOCATION: '/a', other: 'b' }, 'location'), ['/a']);
  assert.deepEqual(headerValues({ 'Set-Cookie': ['a', 'b'] }, 'set-cookie'), ['a', 'b']);
  assert.deepEqual(headerValues({}, 'location'), []);
});
