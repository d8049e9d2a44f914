import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../../lib/read/json.js';
import { condense, maxDataLength } from '../../../src/faces/mcp/condense.js';

const long = (length: number) => 'long text '.repeat(Math.ceil(length / 10)).slice(0, length);
const size = (data: Json) => JSON.stringify(data).length;

describe('a text that is too long', () => {
  test('is cut, ends in “…”, and is listed with its full length', () => {
    const { data, truncations } = condense([{ about: long(250) }, { about: 'x' }], 100);
    assert.deepEqual(data, [{ about: `${long(250).slice(0, 100)}…` }, { about: 'x' }]);
    assert.deepEqual(truncations, [{ path: 'data[0].about', kind: 'text', total: 250, shown: 100 }]);
  });

  test('is never cut inside a character', () => {
    const { data } = condense({ text: `${'a'.repeat(99)}😀${'b'.repeat(50)}` }, 100);
    assert.deepEqual(data, { text: `${'a'.repeat(99)}…` });
  });

  test('is not cut if it is an address, which would be useless', () => {
    const url = `https://example.com/${'x'.repeat(3000)}`;
    assert.deepEqual(condense({ url }, 100), { data: { url }, truncations: [] });
    assert.equal(condense({ url: `${url} and more` }, 100).truncations.length, 1);
  });
});

describe('an answer that is too large', () => {
  test('a list ends where the space does, with the total number', () => {
    const list = Array.from({ length: 100 }, (_, id) => ({ id, text: long(400) }));
    const { data, truncations } = condense(list, 500);
    assert.ok(Array.isArray(data));
    assert.ok(size(data) <= maxDataLength);
    assert.ok(data.length > 10);
    assert.deepEqual(data, list.slice(0, data.length));
    assert.deepEqual(truncations, [{ path: 'data', kind: 'list', total: 100, shown: data.length }]);
  });

  test('one object loses the ends of its texts first, then of the lists inside it', () => {
    const texts = condense({ items: Array.from({ length: 40 }, () => ({ text: long(1900) })) }, 2000);
    assert.ok(size(texts.data) <= maxDataLength);
    assert.equal((texts.data as { items: Json[] }).items.length, 40);
    const items = Array.from({ length: 5000 }, (_, id) => ({ id, text: 'x'.repeat(50) }));
    const lists = condense({ items }, 2000);
    assert.ok(size(lists.data) <= maxDataLength);
    assert.deepEqual(lists.truncations, [{ path: 'data.items', kind: 'list', total: 5000, shown: 64 }]);
  });
});

test('for any data, the shown part is a subset, and each cut is listed', () => {
  const isPart = (part: Json, full: Json): boolean => {
    if (typeof full === 'string' && part !== full)
      return typeof part === 'string' && full.startsWith(part.slice(0, -1)) && part.endsWith('…');
    if (Array.isArray(full) && Array.isArray(part))
      return part.length <= full.length && part.every((one, at) => isPart(one, full[at] ?? null));
    if (full === null || typeof full !== 'object' || Array.isArray(full)) return part === full;
    const inside = part as Record<string, Json>;
    const isWhole = JSON.stringify(Object.keys(inside)) === JSON.stringify(Object.keys(full));
    return isWhole && Object.entries(full).every(([key, value]) => isPart(inside[key] as Json, value));
  };
  const value = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.string({ maxLength: 3000, unit: 'grapheme' }),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('json'), { maxLength: 30 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'url'), tie('json'), { noNullPrototype: true }),
    ) as fc.Arbitrary<Json>,
  })).json;
  fc.assert(
    fc.property(value, fc.integer({ min: 100, max: 2000 }), (json, limit) => {
      const { data, truncations } = condense(json, limit);
      assert.ok(isPart(data, json));
      assert.equal(JSON.stringify(data) === JSON.stringify(json), truncations.length === 0);
    }),
    { numRuns: 100 },
  );
});
