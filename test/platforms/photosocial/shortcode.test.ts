import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { idOfShortcode, publicCode, shortcodeOfId } from '../../../lib/platforms/photosocial/shortcode.js';

const pairs: [code: string, id: string][] = [
  ['DdEo7DPG8x2', '3982487950286638198'],
  ['DdcI4o0Prsz', '3989102446432402227'],
  ['DdbzsI_hDwF', '3989009228651314181'],
  ['B1LbfVPlwIA', '2110901750722920960'],
];

describe('shortcodes and ids', () => {
  for (const [code, id] of pairs) {
    test(`${code} and ${id} are the same`, () => {
      assert.equal(idOfShortcode(code), id);
      assert.equal(shortcodeOfId(id), code);
    });
  }

  test('any id of 64 bits is restored from its code', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), (id) => {
        assert.equal(idOfShortcode(shortcodeOfId(id.toString()) ?? ''), id.toString());
      }),
    );
  });

  test('any code without a leading zero digit is restored from its id', () => {
    const code = fc.stringMatching(/^[B-Za-z0-9_-][A-Za-z0-9_-]{0,9}$/);
    fc.assert(fc.property(code, (one) => assert.equal(shortcodeOfId(idOfShortcode(one)), one)));
  });

  test('codes keep the order of ids', () => {
    const id = fc.bigInt({ min: 2n ** 60n, max: 2n ** 62n });
    fc.assert(
      fc.property(id, id, (a, b) => {
        const [x, y] = [
          idOfShortcode(shortcodeOfId(`${a}`) ?? ''),
          idOfShortcode(shortcodeOfId(`${b}`) ?? ''),
        ];
        assert.equal(BigInt(x) < BigInt(y), a < b);
      }),
    );
  });

  test('a private account’s code has 28 more characters than the public one', () => {
    assert.equal(idOfShortcode('CCQQsCXjOaBfS3I2PpqsNkxElV9DXj61vzo5xs0'), '2346448800803776129');
    assert.equal(publicCode('CCQQsCXjOaBfS3I2PpqsNkxElV9DXj61vzo5xs0'), 'CCQQsCXjOaB');
    assert.equal(publicCode('B1LbfVPlwI'), 'B1LbfVPlwI');
  });

  test('the platform’s composite ids name the same post', () => {
    assert.equal(shortcodeOfId('3982487950286638198_787132'), 'DdEo7DPG8x2');
    assert.equal(shortcodeOfId('POLARIS_3982487950286638198'), 'DdEo7DPG8x2');
  });

  test('other texts have no code', () => {
    for (const text of ['', '0', '-1', '1e3', '12x', '1'.repeat(21), 'POLARIS_']) {
      assert.equal(shortcodeOfId(text), null, text);
    }
  });
});
