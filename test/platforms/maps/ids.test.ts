import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  cid,
  cidOf,
  type FeatureId,
  featureId,
  featureIdOf,
  hexOfCid,
  isHalf,
  placeIdOf,
  samePlace,
} from '../../../lib/platforms/maps/ids.js';

/** Recorded names of nine places: place_id, feature id, cid. */
const vectors: readonly (readonly [string, FeatureId, string])[] = [
  ['ChIJDdnwdv0y5xQRRytw1ihZQeU', '0x14e732fd76f0d90d:0xe5415928d6702b47', '16519582940102929223'],
  ['ChIJHQjftsYG5xQRH6-iEKNyKwc', '0x14e706c6b6df081d:0x72b72a310a2af1f', '516632626948386591'],
  ['ChIJNVsWObd15xQRU3nNQXbKgH4', '0x14e775b739165b35:0x7e80ca7641cd7953', '9115508255056820563'],
  ['ChIJJQz5EZzKw4kRCZ95UajbyGw', '0x89c3ca9c11f90c25:0x6cc8dba851799f09', '7838756667406262025'],
  ['ChIJhdcKmw9t5kcRkk9Ena5LFKg', '0x47e66d0f9b0ad785:0xa8144bae9d444f92', '12111388511240998802'],
  ['ChIJuVkmvYYX3hQR2536Jljm9rc', '0x14de1786bd2659b9:0xb7f6e65826fa9ddb', '13256035819497102811'],
  ['ChIJQ3bQq8UVrjsRaWFXJ7hwcv0', '0x3bae15c5abd07643:0xfd7270b827576169', '18262783375177113961'],
  ['ChIJ6eIWIqtZwokRrPyuCX7wFwM', '0x89c259ab2216e2e9:0x317f07e09aefcac', '222911130697137324'],
  ['ChIJmxO_XDwbdkgR-zjbcc_J6Xs', '0x48761b3c5cbf139b:0x7be9c9cf71db38fb', '8928889629044324603'],
];

const number64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const anyId = fc
  .tuple(number64, number64)
  .map(([a, b]) => `0x${a.toString(16)}:0x${b.toString(16)}` as FeatureId);

describe('the IDs of a place', () => {
  for (const [placeId, id, number] of vectors) {
    test(`${placeId}, ${id} and ${number} are the same`, () => {
      assert.equal(featureIdOf(placeId), id);
      assert.equal(placeIdOf(id), placeId);
      assert.equal(cidOf(id), number);
      assert.equal(hexOfCid(number), id.split(':')[1]);
      assert.equal(featureId(id), id);
      assert.equal(cid(number), number);
    });
  }

  test('every feature id can be restored from its place_id of 27 characters', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const placeId = placeIdOf(id);
        assert.match(placeId, /^ChIJ[\w-]{23}$/);
        assert.equal(featureIdOf(placeId), id);
        assert.equal(BigInt(cidOf(id)), BigInt(id.split(':')[1] ?? ''));
      }),
    );
  });

  test('another text of that length is a place_id only in its canonical form', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w-]{27}$/), (text) => {
        const id = featureIdOf(text);
        assert.ok(id === null || placeIdOf(id) === text);
      }),
    );
  });

  const [good = ''] = vectors[0] ?? [];
  for (const text of [
    ...['', 'ChIJ', good.slice(0, 26), `${good}A`, `${good}=`, good.replace('ChIJ', 'ChIK')],
    // The spare bits of the last character.
    `${good.slice(0, 26)}V`,
    'EiRSdWUgSW52ZW50w6llLCAwMTk5OSBTYWludC1BdWJyYWM',
    ...['GhIJQWDl0CIeQUARxks3icF8U8A', '+'.repeat(27), 'not an id at all, but twenty-seven'],
  ]) {
    test(`“${text}” is not a place_id`, () => assert.equal(featureIdOf(text), null));
  }

  for (const [text, id] of [
    [' 0X00AB:0x0Cd ', '0xab:0xcd'],
    ['0x0:0x0000', '0x0:0x0'],
    ...['', '0x1', '0x1:2', '0x:0x1', '0xg:0x1', `0x1${'0'.repeat(16)}:0x1`, null, 5].map((text) => [
      text,
      null,
    ]),
  ]) {
    test(`${JSON.stringify(text)} is the feature id ${id}`, () => assert.equal(featureId(text), id));
  }

  test('a cid is a decimal number below 2^64', () => {
    assert.equal(cid('18446744073709551615'), '18446744073709551615');
    for (const text of ['', '0', '01', '-1', '1.5', '18446744073709551616', '9'.repeat(40), '12a'])
      assert.equal(cid(text), null, text);
  });

  test('a feature id without its first half is compared by its cid', () => {
    assert.deepEqual([isHalf('0x0:0x5'), isHalf('0x5:0x0')], [true, false]);
    for (const id of ['0x0:0x5', '0x7:0x5'] as const) assert.ok(samePlace(id, '0x7:0x5'));
    assert.ok(!samePlace('0x7:0x5', '0x8:0x5'));
    assert.ok(!samePlace('0x0:0x5', '0x7:0x6'));
  });
});
