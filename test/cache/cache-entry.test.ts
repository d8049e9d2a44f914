import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { CachedAnswer } from '../../lib/cache/cache.js';
import { answerFrom, answerText } from '../../lib/cache/cache-entry.js';
import type { Json } from '../../lib/read/json.js';

const answer: CachedAnswer = {
  data: '{"a":1}',
  fetchedAt: '2026-01-01T00:00:00.000Z',
  next: null,
  prints: ['x'],
};

describe('an entry of the cache file', () => {
  test('comes back as it went in, whatever a page put into it', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.array(fc.string({ unit: 'binary' })),
        (data, next, prints) => {
          const one: CachedAnswer = {
            data: JSON.stringify(data),
            fetchedAt: answer.fetchedAt,
            next: JSON.parse(JSON.stringify(next)) as Json,
            prints,
          };
          assert.deepEqual(answerFrom(answerText(one)), one);
        },
      ),
    );
  });

  test('survives keys and texts that other serialisers trip over', () => {
    const next = JSON.parse(
      '{"toJSON":1,"__proto__":{"a":1},"b":":base64:AAAA","c":"\\u0000\\ud800\\n"}',
    ) as Json;
    const one = { ...answer, next };
    assert.deepEqual(answerFrom(answerText(one)), one);
  });

  test('holds the payload byte for byte', () => {
    assert.ok(answerText(answer).endsWith(`\n${answer.data}`));
  });

  test('that is cut, foreign or of another shape is no entry', () => {
    const text = answerText(answer);
    const others = [
      '',
      'x',
      '\n',
      text.slice(0, 40),
      text.replace('\n', ''),
      `0001767225600000${text}`,
      'null\n{}',
      '[]\n{}',
      '{"fetchedAt":1,"next":null,"prints":[]}\n{}',
      '{"fetchedAt":"x","prints":[]}\n{}',
      '{"fetchedAt":"x","next":null,"prints":[1]}\n{}',
      '{"value":{"data":"x"},"expires":5}\n',
    ];
    for (const other of others) assert.equal(answerFrom(other), undefined, other);
  });
});
