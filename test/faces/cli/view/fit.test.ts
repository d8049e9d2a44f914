import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CandidateColumn, fitColumns, gap } from '../../../../src/faces/cli/view/fit.js';

const column = (name: string, width: number, over: Partial<CandidateColumn> = {}): CandidateColumn => ({
  name,
  cells: ['x'.repeat(width)],
  lowPriority: false,
  ...over,
});
const used = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));

test('columns that fit have the width of what is in them', () => {
  const fit = fitColumns([column('name', 10), column('size', 3), column('x', 1)], 80, false);
  assert.deepEqual(fit, { shown: [0, 1, 2], eligible: [0, 1, 2], widths: [10, 4, 1] });
});

test('no table is wider than it may be', () => {
  const columns = Array.from({ length: 12 }, (_, index) => column(`field_${index}`, index * 7));
  for (let width = 36; width < 200; width += 1) {
    const fit = fitColumns(columns, width, false);
    assert.ok(fit === null || used(fit.widths) <= width, String(width));
  }
});

test('what does not fit is left out from the end, and a narrower one may take its place', () => {
  const fit = fitColumns(
    [column('name', 20), column('text', 30), column('a_very_long_name_of_a_field', 3), column('n', 2)],
    40,
    false,
  );
  assert.deepEqual(fit?.shown, [0, 1, 3]);
});

test('empty columns and those that yield come only when chosen', () => {
  const columns = [
    column('name', 5),
    column('none', 0, { cells: ['–'] }),
    column('link', 9, { lowPriority: true }),
    column('a', 1),
    column('b', 1),
  ];
  assert.deepEqual(fitColumns(columns, 80, false)?.shown, [0, 3, 4]);
  assert.deepEqual(fitColumns(columns, 80, true)?.shown, [0, 1, 2, 3, 4]);
});

test('too little to see is no table', () => {
  const columns = [column('name', 30), column('text', 30), column('more', 30)];
  assert.equal(fitColumns(columns, 36, false), null);
  assert.equal(fitColumns(columns, 36, true), null);
  assert.notEqual(fitColumns(columns.slice(0, 2), 40, true), null);
  assert.notEqual(fitColumns(columns.slice(0, 1), 20, false), null);
});

test('wide letters count as two', () => {
  assert.deepEqual(fitColumns([column('n', 0, { cells: ['漢字漢字'] })], 80, true)?.widths, [8]);
});

test('one long text does not push the others out', () => {
  const fit = fitColumns([column('name', 8), column('text', 5000), column('size', 4)], 80, false);
  assert.deepEqual(fit?.shown, [0, 1, 2]);
});
