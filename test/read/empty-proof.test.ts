import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../lib/call/cursor.js';
import { readPage } from '../../lib/call/read-page.js';
import { endpoints } from '../../lib/endpoints.js';
import { type EmptyProof, requireEmptyProof } from '../../lib/read/empty-proof.js';
import type { PageSession } from '../../lib/web/page-source.js';

const changed = { code: 'platform_changed' };

describe('an empty list', () => {
  for (const proof of [{ none: true }, { total: 0 }, { end: true }, { leftOut: 3 }] as EmptyProof[]) {
    test(`is an answer with ${JSON.stringify(proof)}, at its beginning and later`, () => {
      for (const begins of [true, false]) requireEmptyProof(proof, begins);
    });
  }

  for (const proof of [{}, { none: false, total: null, end: false, leftOut: 0 }] as EmptyProof[]) {
    test(`is a changed page with ${JSON.stringify(proof)}`, () => {
      for (const begins of [true, false]) assert.throws(() => requireEmptyProof(proof, begins), changed);
    });
  }

  test('is refused if the page counts items', () => {
    for (const other of [{}, { none: true }, { end: true }]) {
      assert.throws(() => requireEmptyProof({ ...other, total: 4604 }, true), {
        ...changed,
        message: /counts 4604 items/,
      });
    }
    requireEmptyProof({ end: true, total: 40 }, false);
    requireEmptyProof({ leftOut: 2, total: 2 }, true);
  });
});

describe('a list endpoint', () => {
  const session = {} as PageSession;
  for (const endpoint of endpoints.filter(({ many }) => many)) {
    test(`${endpoint.path} returns no empty list without a proof`, async () => {
      const read = (reading: object) =>
        readPage(
          {
            endpoint: { ...endpoint, read: async () => ({ data: [], ids: [], ...reading }) },
            identity: {},
            position: firstPosition,
            limit: 1,
          },
          session,
          false,
        );
      await assert.rejects(read({}), changed);
      await assert.rejects(
        read({ next: { from: 1 }, brief: true, endsEarly: true, emptyProof: {} }),
        changed,
      );
      await assert.rejects(read({ emptyProof: { end: true, total: 1 } }), changed);
      assert.deepEqual((await read({ emptyProof: { total: 0 } })).data, []);
    });
  }
});
