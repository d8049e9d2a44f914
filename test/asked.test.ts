import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asked, bindingOf, cacheKey } from '../lib/asked.js';
import { start } from '../lib/cursor.js';
import { endpoints } from '../lib/endpoints.js';
import { ExtractError } from '../lib/errors.js';
import { casesOf } from '../lib/samples.js';

for (const endpoint of endpoints) {
  describe(`a question of ${endpoint.path}`, async () => {
    const params = (await casesOf(endpoint))[0]?.params ?? {};
    const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));

    test('is the same from texts and from values, and however its parameters are ordered', () => {
      const one = asked(endpoint, params);
      assert.deepEqual(asked(endpoint, texts, true), one);
      assert.deepEqual(asked(endpoint, Object.fromEntries(Object.entries(params).reverse())), one);
      assert.equal(one.firstKey, cacheKey(endpoint, one.identity, one.limit, start));
    });

    test('is kept under the same key whether it is fresh or not, and bound apart when it is a demo', () => {
      const plain = asked(endpoint, params);
      const fresh = asked(endpoint, { ...params, fresh: true });
      assert.equal(fresh.firstKey, plain.firstKey);
      assert.equal(fresh.fresh, true);
      const demo = asked(endpoint, { ...params, demo: true });
      assert.notEqual(bindingOf(endpoint, demo.identity, true), bindingOf(endpoint, plain.identity, false));
    });

    test('of another page size or place is kept apart', () => {
      const { identity, limit, firstKey } = asked(endpoint, params);
      const keys = [
        firstKey,
        cacheKey(endpoint, identity, limit + 1, start),
        cacheKey(endpoint, identity, limit, { position: 1, seen: [] }),
        cacheKey(endpoint, identity, limit, { position: 1, seen: ['a'] }),
      ];
      assert.equal(new Set(keys).size, keys.length);
    });
  });
}

test('questions of different endpoints are never kept under one key', async () => {
  const keys = await Promise.all(
    endpoints.map(async (endpoint) => asked(endpoint, (await casesOf(endpoint))[0]?.params ?? {}).firstKey),
  );
  assert.equal(new Set(keys).size, endpoints.length);
});

test('what cannot be asked is refused', () => {
  for (const endpoint of endpoints) {
    assert.throws(
      () => asked(endpoint, {}),
      (error) => error instanceof ExtractError && error.type === 'invalid_request',
    );
  }
});
