import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as z from 'zod';
import { defineEndpoint, type Endpoint } from '../../lib/endpoint.js';
import { parseParams } from '../../lib/params/parse.js';
import { choice, integer, number, pageUrl, text, twoLetters } from '../../lib/params/vocabulary.js';
import { site } from '../../lib/platforms/shortvideo/site.js';
import { thrownCode } from '../support/error-code.js';

const endpoint = defineEndpoint({
  path: 'maps/example',
  operation: 'get_example',
  summary: 'An example',
  description: 'An example.',
  credits: 1,
  cacheSeconds: 1,
  site,
  params: () => ({
    username: text('Handle'),
    url: pageUrl('Address'),
    radius_m: integer(100, 50_000, 'Radius').default(5000),
    lat: number(-90, 90, 'Latitude').optional(),
    sort: choice(['newest', 'highest'], 'Order').default('newest'),
    country: twoLetters('Country').optional(),
  }),
  exactlyOne: ['username', 'url'],
  renamed: { handle: 'username' },
  page: { max: 30 },
  returns: z.strictObject({ name: z.string() }),
  many: true,
  identify: ({ username }) => ({ username: username ?? null }),
  read: async () => ({ data: [], sources: [], emptyProof: { none: true } }),
}) as Endpoint;

const code = (raw: Record<string, unknown>, texts = false) =>
  thrownCode(() => parseParams(endpoint, raw, texts));
const isRefused = (
  raw: Record<string, unknown>,
  error: { readonly code: string; readonly message?: RegExp },
) => assert.throws(() => parseParams(endpoint, raw), error);

describe('parameters of a call', () => {
  test('defaults are filled in and absent optional ones stay absent', () => {
    assert.deepEqual(parseParams(endpoint, { username: 'a' }), {
      ...{ username: 'a', radius_m: 5000, sort: 'newest', limit: 30 },
      ...{ fresh: false, demo: false, sources: false },
    });
  });

  test('exactly one of the pair is required', () => {
    isRefused({}, { code: 'missing_parameter', message: /username or url/ });
    isRefused({ username: 'a', url: 'b' }, { code: 'conflicting_parameters' });
  });

  test('a renamed name is refused with a pointer to the new one', () => {
    isRefused({ handle: 'a' }, { code: 'renamed_parameter', message: /username/ });
  });

  test('an unknown name is refused with the known ones, also one that every object has', () => {
    isRefused({ username: 'a', colour: 'red' }, { code: 'unknown_parameter', message: /"colour".*radius_m/ });
    for (const name of ['__proto__', 'constructor', 'toString'])
      isRefused(JSON.parse(`{"username":"a","${name}":"x"}`), { code: 'unknown_parameter' });
  });

  test('ranges hold at both ends', () => {
    for (const [value, expected] of [
      [99, 'invalid_parameter'],
      [100, 'none'],
      [50_000, 'none'],
      [50_001, 'invalid_parameter'],
      [100.5, 'invalid_parameter'],
      [Number.NaN, 'invalid_parameter'],
      ['100', 'invalid_parameter'],
    ] as const) {
      assert.equal(code({ username: 'a', radius_m: value }), expected, String(value));
    }
    const message = /limit must be a whole number from 1 to 30/;
    isRefused({ username: 'a', limit: 31 }, { code: 'invalid_parameter', message });
  });

  test('a list of choices is named in the refusal', () => {
    const message = /sort must be one of newest, highest/;
    isRefused({ username: 'a', sort: 'oldest' }, { code: 'invalid_parameter', message });
  });

  test('two-letter codes are taken in either case', () => {
    assert.equal(parseParams(endpoint, { username: 'a', country: 'PT' }).country, 'pt');
    isRefused({ username: 'a', country: 'PRT' }, { code: 'invalid_parameter' });
  });

  test('empty and blank texts are not values', () => {
    for (const username of ['', '  ']) isRefused({ username }, { code: 'invalid_parameter' });
  });

  test('text values are read by the type of their parameter', () => {
    const texts = { username: '12', limit: '7', lat: '-41.25', demo: 'true', fresh: 'false' };
    const values = { username: '12', limit: 7, lat: -41.25, demo: true, fresh: false };
    assert.partialDeepStrictEqual(parseParams(endpoint, texts, true), values);
    for (const [name, value] of [
      ['limit', '7.5'],
      ['limit', ''],
      ['limit', '0x10'],
      ['limit', '+1'],
      ['limit', '1e1'],
      ['demo', 'yes'],
      ['lat', 'Infinity'],
    ] as const) {
      assert.equal(code({ username: 'a', [name]: value }, true), 'invalid_parameter', `${name}=${value}`);
    }
  });

  test('a repeated parameter is refused, not guessed', () => {
    assert.equal(code({ username: ['a', 'b'] }, true), 'invalid_parameter');
  });

  test('any input is parameters or an error of the catalogue', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(endpoint.params)), fc.string()), fc.anything()),
        (raw) => {
          const outcome = code(raw);
          assert.ok(outcome === 'none' || /_parameters?$/.test(outcome), outcome);
        },
      ),
    );
  });
});
