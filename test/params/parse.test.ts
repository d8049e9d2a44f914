import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as z from 'zod';
import { defineEndpoint, type Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { parseParams } from '../../lib/params/parse.js';
import { choice, integer, number, pageUrl, text, twoLetters } from '../../lib/params/vocabulary.js';
import { site } from '../../lib/platforms/shortvideo/site.js';

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

const code = (raw: Record<string, unknown>, texts = false): { code: string; message: string } => {
  try {
    parseParams(endpoint, raw, texts);
  } catch (error) {
    assert.ok(error instanceof ExtractError);
    return { code: error.code, message: error.message };
  }
  return { code: 'ok', message: '' };
};

describe('parameters of a call', () => {
  test('defaults are filled in and absent optional ones stay absent', () => {
    assert.deepEqual(parseParams(endpoint, { username: 'a' }), {
      username: 'a',
      radius_m: 5000,
      sort: 'newest',
      limit: 30,
      fresh: false,
      demo: false,
      sources: false,
    });
  });

  test('exactly one of the pair is required', () => {
    assert.equal(code({}).code, 'missing_parameter');
    assert.match(code({}).message, /username or url/);
    assert.equal(code({ username: 'a', url: 'b' }).code, 'conflicting_parameters');
  });

  test('a renamed name is refused with a pointer to the new one', () => {
    const refused = code({ handle: 'a' });
    assert.equal(refused.code, 'renamed_parameter');
    assert.match(refused.message, /username/);
  });

  test('an unknown name is refused and what there is named', () => {
    const refused = code({ username: 'a', colour: 'red' });
    assert.equal(refused.code, 'unknown_parameter');
    assert.match(refused.message, /"colour".*radius_m/);
  });

  test('names that every object has are unknown like any other', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const raw = Object.fromEntries([
        ['username', 'a'],
        [name, 'x'],
      ]);
      assert.equal(code(raw).code, 'unknown_parameter', name);
    }
  });

  test('ranges hold at both ends', () => {
    for (const [value, expected] of [
      [99, 'invalid_parameter'],
      [100, 'ok'],
      [50_000, 'ok'],
      [50_001, 'invalid_parameter'],
      [100.5, 'invalid_parameter'],
      [Number.NaN, 'invalid_parameter'],
      ['100', 'invalid_parameter'],
    ] as const) {
      assert.equal(code({ username: 'a', radius_m: value }).code, expected, String(value));
    }
    assert.match(code({ username: 'a', limit: 31 }).message, /limit must be a whole number from 1 to 30/);
  });

  test('a list of choices is named in the refusal', () => {
    assert.match(code({ username: 'a', sort: 'oldest' }).message, /sort must be one of newest, highest/);
  });

  test('two-letter codes are taken in either case', () => {
    assert.equal(parseParams(endpoint, { username: 'a', country: 'PT' }).country, 'pt');
    assert.equal(code({ username: 'a', country: 'PRT' }).code, 'invalid_parameter');
  });

  test('empty and blank texts are not values', () => {
    assert.equal(code({ username: '' }).code, 'invalid_parameter');
    assert.equal(code({ username: '  ' }).code, 'invalid_parameter');
  });

  test('text values are read by the type of their parameter', () => {
    const params = parseParams(
      endpoint,
      { username: '12', limit: '7', lat: '-41.25', demo: 'true', fresh: 'false' },
      true,
    );
    assert.deepEqual(
      { username: params.username, limit: params.limit, lat: params.lat, demo: params.demo },
      { username: '12', limit: 7, lat: -41.25, demo: true },
    );
    for (const [name, value] of [
      ['limit', '7.5'],
      ['limit', ''],
      ['limit', '0x10'],
      ['limit', '+1'],
      ['limit', '1e1'],
      ['demo', 'yes'],
      ['lat', 'Infinity'],
    ] as const) {
      assert.equal(
        code({ username: 'a', [name]: value }, true).code,
        'invalid_parameter',
        `${name}=${value}`,
      );
    }
  });

  test('a repeated parameter is refused, not guessed', () => {
    assert.equal(code({ username: ['a', 'b'] }, true).code, 'invalid_parameter');
  });

  test('whatever is passed, the outcome is parameters or a refusal of the catalogue', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(endpoint.params)), fc.string()), fc.anything()),
        (raw) => {
          const outcome = code(raw).code;
          assert.ok(outcome === 'ok' || /_parameters?$/.test(outcome), outcome);
        },
      ),
    );
  });
});
