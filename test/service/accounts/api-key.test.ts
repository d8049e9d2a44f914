import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isSecret, newSecret } from '../../../src/service/accounts/api-key.js';

describe('API keys', () => {
  test('have the documented form, and a checksum of their own', () => {
    for (let count = 0; count < 200; count += 1) {
      const secret = newSecret();
      assert.match(secret, /^xt_live_[0-9A-Za-z]{40}$/);
      assert.equal(isSecret(secret), true);
    }
  });

  test('with one changed character are recognized as mistyped', () => {
    const secret = newSecret();
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: secret.length - 1 }),
        fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- '),
        (place, digit) => {
          fc.pre(secret[place] !== digit);
          assert.equal(isSecret(secret.slice(0, place) + digit + secret.slice(place + 1)), false);
        },
      ),
    );
  });

  test('are rejected if cut, lengthened or of another kind', () => {
    const secret = newSecret();
    const cut = ['', 'xt_live_', secret.slice(1), secret.slice(0, -1)];
    for (const wrong of [...cut, `${secret}0`, ` ${secret}`, `${secret}\n`])
      assert.equal(isSecret(wrong), false, JSON.stringify(wrong));
  });

  test('the checksum is the same for ever', () => {
    assert.equal(isSecret(`xt_live_${'0'.repeat(34)}21PX11`), true);
    // A CRC-32 in six digits of base 62 begins with 0 to 4.
    for (let count = 0; count < 50; count += 1) assert.match(newSecret(), /[0-4].{5}$/);
  });
});
