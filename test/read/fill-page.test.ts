import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { type FilledPage, fillPage } from '../../lib/read/fill-page.js';
import type { Json } from '../../lib/read/json.js';

/** A source that gives the numbers from 0 in source pages of these sizes. */
function source(sizes: readonly number[]) {
  const reads: Json[] = [];
  return {
    reads,
    async read(stretch: Json) {
      reads.push(stretch);
      const at = stretch === null ? 0 : (stretch as number);
      const from = sizes.slice(0, at).reduce((sum, size) => sum + size, 0);
      const items = Array.from({ length: sizes[at] ?? 0 }, (_, index) => from + index);
      return { items, next: at + 1 < sizes.length ? at + 1 : null, emptyProof: { total: at } };
    },
  };
}

const pageWith = (items: number[], next: Json, total: number) => ({
  ...{ items, next, isComplete: true, emptyProof: { total } },
});

describe('filling a page from source pages', () => {
  test('short source pages are read together', async () => {
    const { read, reads } = source([2, 2, 2]);
    assert.deepEqual(await fillPage(5, null, read), pageWith([0, 1, 2, 3, 4], [2, 1], 2));
    assert.deepEqual(reads, [null, 1, 2]);
  });

  test('a long source page is read again for the next page, which skips the returned items', async () => {
    const { read, reads } = source([12]);
    const first = await fillPage(5, null, read);
    assert.deepEqual(first, pageWith([0, 1, 2, 3, 4], [null, 5], 0));
    const second = await fillPage(5, first.next, read);
    assert.deepEqual(second.items, [5, 6, 7, 8, 9]);
    const third = await fillPage(5, second.next, read);
    assert.deepEqual(third, pageWith([10, 11], null, 0));
    assert.deepEqual(reads, [null, null, null]);
  });

  test('a page that ends with its source page continues with the next one', async () => {
    const { read, reads } = source([3, 3]);
    const first = await fillPage(3, null, read);
    assert.deepEqual(first, pageWith([0, 1, 2], [1, 0], 0));
    assert.deepEqual((await fillPage(3, first.next, read)).items, [3, 4, 5]);
    assert.deepEqual(reads, [null, 1]);
  });

  test('every item comes once and in order, whatever the sizes and limits', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (all, limits) => {
          const { read } = source(all);
          const items: number[] = [];
          let position: Json = null;
          for (let page = 0; page < 60; page += 1) {
            const limit = limits[page % limits.length] ?? 1;
            const filled: FilledPage<number> = await fillPage(limit, position, read);
            assert.ok(filled.items.length <= limit);
            items.push(...filled.items);
            position = filled.next;
            if (position === null) break;
          }
          const total = all.reduce((sum, size) => sum + size, 0);
          assert.deepEqual(
            items,
            Array.from({ length: total }, (_, index) => index),
          );
        },
      ),
    );
  });

  test('a refused later source page ends the page early, and the next page is refused', async () => {
    const good = source([2, 2]);
    const read = async (stretch: Json) => {
      if (stretch !== null) throw new ExtractError('platform_login_required');
      return good.read(stretch);
    };
    const first = await fillPage(5, null, read);
    assert.deepEqual(first, { items: [0, 1], next: [1, 0], isComplete: false, emptyProof: { total: 0 } });
    await assert.rejects(fillPage(5, first.next, read), { code: 'platform_login_required' });
  });

  test('internal faults and aborted calls are thrown on, whatever was read before', async () => {
    for (const fault of [new TypeError('x'), new ExtractError('invalid_parameter', 'a setting')]) {
      const read = async (stretch: Json) => {
        if (stretch !== null) throw fault;
        return { items: [1], next: 1, emptyProof: {} };
      };
      await assert.rejects(fillPage(5, null, read), (error) => error === fault);
    }
  });

  test('a source that does not advance ends the list', async () => {
    const read = async (stretch: Json) => ({ items: [stretch], next: { after: 'x' }, emptyProof: {} });
    assert.deepEqual((await fillPage(9, null, read)).next, null);
  });

  test('a source of empty pages is read a bounded number of times', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return { items: [], next: reads, emptyProof: {} };
    };
    const { items, next, isComplete } = await fillPage(5, null, read);
    assert.deepEqual({ items, next, isComplete }, { items: [], next: [8, 0], isComplete: true });
    assert.equal(reads, 8);
  });
});
