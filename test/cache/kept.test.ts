import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { expiryDigits, expiryText, type Kept, keptFrom, keptText } from '../../lib/cache/kept.js';
import type { Json } from '../../lib/read/json.js';

const kept: Kept = {
  answer: { data: '{"a":1}', fetchedAt: '2026-01-01T00:00:00.000Z', next: null, prints: ['x'] },
  expires: 1_767_225_600_000,
};

describe('an entry of the cache file', () => {
  test('comes back as it went in, whatever a page put into it', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.array(fc.string({ unit: 'binary' })),
        fc.maxSafeNat(),
        (data, next, prints, expires) => {
          const one: Kept = {
            answer: {
              data: JSON.stringify(data),
              fetchedAt: kept.answer.fetchedAt,
              next: JSON.parse(JSON.stringify(next)) as Json,
              prints,
            },
            expires,
          };
          assert.deepEqual(keptFrom(keptText(one)), one);
        },
      ),
    );
  });

  test('survives keys and texts that other serialisers trip over', () => {
    const next = JSON.parse(
      '{"toJSON":1,"__proto__":{"a":1},"b":":base64:AAAA","c":"\\u0000\\ud800\\n"}',
    ) as Json;
    const one = { ...kept, answer: { ...kept.answer, next } };
    assert.deepEqual(keptFrom(keptText(one)), one);
  });

  test('holds the payload byte for byte', () => {
    assert.ok(keptText(kept).endsWith(`\n${kept.answer.data}`));
  });

  test('opens with the end of its lifetime, in an order that texts and times share', () => {
    assert.equal(keptText(kept).slice(0, expiryDigits), '0001767225600000');
    assert.ok(expiryText(999) < expiryText(1000));
    assert.equal(expiryText(Number.MAX_SAFE_INTEGER).length, expiryDigits);
    assert.equal(expiryText(-5), expiryText(0));
  });

  test('that is cut, foreign or of another shape is no entry', () => {
    const text = keptText(kept);
    const others = [
      '',
      'x',
      '\n',
      text.slice(0, 40),
      text.replace('\n', ''),
      `soon${text.slice(4)}`,
      `${expiryText(5)}null\n{}`,
      `${expiryText(5)}[]\n{}`,
      `${expiryText(5)}{"fetchedAt":1,"next":null,"prints":[]}\n{}`,
      `${expiryText(5)}{"fetchedAt":"x","prints":[]}\n{}`,
      `${expiryText(5)}{"fetchedAt":"x","next":null,"prints":[1]}\n{}`,
      '{"value":{"data":"x"},"expires":5}\n',
    ];
    for (const other of others) assert.equal(keptFrom(other), undefined, other);
  });
});
