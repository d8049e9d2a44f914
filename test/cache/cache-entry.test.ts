import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { CachedAnswer } from '../../lib/cache/cache.js';
import { type AgingAnswer, entrySerialization, isAlive } from '../../lib/cache/cache-entry.js';
import type { Json } from '../../lib/read/json.js';
import { FakeClock } from '../support/fake-clock.js';

const answer: CachedAnswer = {
  data: '{"a":1}',
  fetchedAt: '2026-01-01T00:00:00.000Z',
  next: null,
  prints: ['x'],
  coverage: { total: 3, ended: 'more', ignored: [], rounded: ['a'], routes: [] },
};

const now = 1_000;
const { stringify, parse } = entrySerialization(new FakeClock(now), 0);
const entryText = (value: AgingAnswer) => stringify({ value, expires: now + value.lifetime }) as string;
const entryFrom = (text: string) => parse(text) as { readonly value: AgingAnswer } | undefined;

describe('an entry in a store', () => {
  test('comes back as it went in, whatever a page put into it', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.array(fc.string({ unit: 'binary' })),
        (data, next, prints) => {
          const answered: CachedAnswer = {
            data: JSON.stringify(data),
            fetchedAt: answer.fetchedAt,
            next: JSON.parse(JSON.stringify(next)) as Json,
            prints,
          };
          const one = { answer: answered, lifetime: 5 };
          assert.deepEqual(entryFrom(entryText(one)), { value: one, expires: now + 5 });
        },
      ),
    );
  });

  test('survives keys and texts that other serialisers trip over', () => {
    const next = JSON.parse(
      '{"toJSON":1,"__proto__":{"a":1},"b":":base64:AAAA","c":"\\u0000\\ud800\\n"}',
    ) as Json;
    const one = { answer: { ...answer, next }, lifetime: 5 };
    assert.deepEqual(entryFrom(entryText(one)), { value: one, expires: now + 5 });
  });

  test('stores the payload byte for byte', () => {
    assert.ok(entryText({ answer, lifetime: 5 }).endsWith(`\n${answer.data}`));
  });

  test('is invalid if truncated, foreign or of another shape', () => {
    const text = entryText({ answer, lifetime: 5 });
    const others = [
      '',
      'x',
      '\n',
      text.slice(0, 40),
      text.replace('\n', ''),
      text.replace('\n', 'x\n'),
      `x${text}`,
      text.slice(text.indexOf('\n') + 1),
      '9\nnull\n{}',
      '9\n[]\n{}',
      '9\n{"fetchedAt":1,"next":null,"prints":[]}\n{}',
      '9\n{"fetchedAt":"x","prints":[]}\n{}',
      '9\n{"fetchedAt":"x","next":null,"prints":[1]}\n{}',
      '{"value":{"data":"x"},"expires":5}\n',
      // One bit of the payload is another.
      text.replace('"a":1', '"a":3'),
      text.replace('"lifetime":5', '"lifetime":"5"'),
    ];
    for (const other of others) assert.equal(entryFrom(other), undefined, other);
  });
});

test('an entry is returned until its lifetime has passed, whatever the clock did meanwhile', () => {
  const entry = { lifetime: 60_000, expires: 1_000_000 };
  const at = (now: number) => isAlive(entry, now);
  assert.deepEqual([940_000, 970_000, 999_999, 1_000_000].map(at), [true, true, true, false]);
  // Written while the clock was ahead, which was then set back: by a millisecond, an hour, a year.
  assert.deepEqual([939_999, 940_000 - 3_600_000, 0].map(at), [false, false, false]);
});
