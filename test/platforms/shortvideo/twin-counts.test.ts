import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { twinCount } from '../../../lib/platforms/shortvideo/twin-counts.js';

const read = (exact: unknown, rounded: unknown) => twinCount([exact], [rounded]);
const exactly = (count: number) => ({ count, isRounded: false });
const rounded = (count: number) => ({ count, isRounded: true });

describe('a count that a page has twice', () => {
  test('is the exact one if both agree', () => {
    for (const [exact, rounded] of [
      ['783427', 783_400],
      ['3922256', 3_900_000],
      ['19', 19],
      ['12', 11],
      ['0', 0],
    ] as const)
      assert.deepEqual(read(exact, rounded), exactly(Number(exact)));
  });

  test('is not a 0 next to another number', () => {
    assert.deepEqual(read('0', 843_400), rounded(843_400));
    assert.deepEqual(read('0', 97), exactly(97));
    assert.deepEqual(read('843427', 0), exactly(843_427));
    assert.deepEqual(twinCount(['0', '3922256'], [3_900_000, 0]), exactly(3_922_256));
  });

  test('is the shown one if the exact one is unreadable, rounded from 10,000', () => {
    for (const unreadable of [
      '843,410',
      '٨٤٣٤١٠',
      '\u200e843410',
      ['843410'],
      843_410.5,
      '',
      null,
      undefined,
      '-1',
    ]) {
      for (const shown of [10_000, 843_400])
        assert.deepEqual(read(unreadable, shown), rounded(shown), String(unreadable));
      assert.deepEqual(read(unreadable, 9_999), exactly(9_999), String(unreadable));
    }
  });

  test('is unknown if both contradict each other or neither is readable', () => {
    assert.equal(read('97', 843_400), null);
    assert.equal(read('843427', 97), null);
    assert.equal(read('1.4M', null), null);
    assert.equal(read('-1', -1_614_092_016), null);
    assert.equal(twinCount([], []), null);
  });
});
