import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { keyInAddress, keyOf, keyOfPlaceId, keyOfUrl } from '../../../lib/platforms/maps/urls.js';

const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
const fid = '0x14e732fd76f0d90d:0xe5415928d6702b47';
const cid = '16519582940102929223';
const site = 'https://www.google.com';

describe('addresses of a place', () => {
  test('the short link of a business contains its cid', () => {
    const number = Buffer.from(BigInt(cid).toString(16).padStart(16, '0'), 'hex').reverse();
    const code = Buffer.from([0x09, ...number, 0x10, 0x01]).toString('base64url');
    for (const url of [
      `https://g.page/r/${code}`,
      `https://g.page/r/${code}/review`,
      `g.page/r/${code}/review/?gm`,
    ])
      assert.deepEqual(keyOfUrl(url), { cid }, url);
    assert.deepEqual(keyOfUrl('https://g.page/r/CVKzUFHKt3nhEAE/review'), { cid: '16247219210291295058' });
    for (const broken of ['AAAA', 'CVKz', '', 'CQAAAAAAAAAAEAE'])
      assert.throws(() => keyOfUrl(`https://g.page/r/${broken}`), { code: 'invalid_url' }, broken);
  });

  test('nested URLs are unpacked to a bounded depth', () => {
    const wrap = (inside: string) => `https://consent.google.com/m?continue=${encodeURIComponent(inside)}`;
    const url = `${site}/maps?ftid=${fid}`;
    assert.deepEqual(keyInAddress(wrap(wrap(url))), { id: placeId });
    assert.equal(keyInAddress(wrap(wrap(wrap(url)))), null);
  });

  test('any text is a place or invalid_url', () => {
    const tails = fc.string().map((tail) => `${site}/maps/place/${tail}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), tails), (text) => {
        try {
          keyOfUrl(text);
        } catch (error) {
          assert.ok(error instanceof ExtractError && error.code === 'invalid_url', String(error));
        }
      }),
    );
  });
});

describe('a place_id', () => {
  for (const [text, key] of [
    [placeId, { id: placeId }],
    [fid, { id: placeId }],
    ['0x0:0xe5415928d6702b47', { cid }],
    [cid, { cid }],
  ] as const) {
    test(`${text} is ${JSON.stringify(key)}`, () => assert.deepEqual(keyOfPlaceId(text), key));
  }

  test('or a URL identifies a place', () => {
    assert.deepEqual(keyOf(placeId, undefined), { id: placeId });
    assert.deepEqual(keyOf(undefined, `${site}/maps?cid=${cid}`), { cid });
  });

  for (const id of [
    'EiRSdWUgSW52ZW50w6ll',
    'GhIJQWDl0CIeQUARxks3icF8U8A',
    '0x1',
    '42',
    '8G6MM2CV+7Q',
    'ChIJ',
  ]) {
    test(`of another kind is refused: ${id}`, () => {
      const error = { code: 'invalid_parameter', message: /ChIJ… .*addresses, routes/ };
      assert.throws(() => keyOfPlaceId(id), error);
    });
  }
});
