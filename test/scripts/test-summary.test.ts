import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryOf } from '../../scripts/test-summary.js';

test('the summary says what ran, how many files were left out, what was skipped and why', () => {
  const reason = 'no Chromium on PATH';
  const text = summaryOf({
    events: [
      { skipped: 'suite', reason },
      { skipped: 'test', reason: 'no captures' },
      { asItComes: 'one' },
      { asItComes: 'another' },
      { skipped: 'test', reason },
      { skipped: 'test', reason },
      { failed: 'test/a.test.ts:3 a test', message: ['expected 1', 'got 2'] },
      { counts: { passed: 12, failed: 1, cancelled: 2 } },
    ],
    files: 3,
    leftOut: 3,
    seconds: 61.4,
  });
  assert.deepEqual(text.split('\n'), [
    '',
    '3 files in 61 s',
    'Left out by --quick: 3 files',
    'With every setting as it comes: 2 tests',
    'Skipped:',
    '  2 tests and 1 suite: no Chromium on PATH',
    '  1 test: no captures',
    'Failed:',
    '  test/a.test.ts:3 a test',
    '    expected 1',
    '    got 2',
    '12 passed, 3 failed, 4 skipped',
  ]);
});

test('a run without anything left out says no more than its counts', () => {
  const text = summaryOf({
    events: [{ counts: { passed: 1, failed: 0, cancelled: 0 } }],
    files: 1,
    leftOut: 0,
    seconds: 0.81,
  });
  assert.equal(text, '\n1 file in 0.8 s\n1 passed, 0 failed, 0 skipped');
});
