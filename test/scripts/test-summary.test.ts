import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressOf, summaryOf } from '../../scripts/test-summary.js';

const counts = { passed: 12, failed: 1, cancelled: 2 };

test('the summary says what ran, how many files were left out, what was skipped and why, and what failed last', () => {
  const reason = 'no Chromium on PATH';
  const { text, isGood } = summaryOf({
    events: [
      { skipped: 'suite', reason },
      { skipped: 'test', reason: 'no captures' },
      { skipped: 'test', reason },
      { failed: 'test/a.test.ts:3 a test', message: ['expected 1', 'got 2'] },
      { counts },
    ],
    files: 3,
    leftOut: 3,
    seconds: 61.4,
  });
  assert.equal(isGood, false);
  assert.deepEqual(text.split('\n'), [
    '3 files in 61 s',
    '3 files left for npm run test:full and npm run nightly',
    'Skipped:',
    '  1 test and 1 suite: no Chromium on PATH',
    '  1 test: no captures',
    'Failed:',
    '  test/a.test.ts:3 a test',
    '    expected 1',
    '    got 2',
    '12 passed, 3 failed, 3 skipped',
  ]);
});

test('a run in which nothing failed is good, and one in which no test passed is not', () => {
  const run = (passed: number) =>
    summaryOf({
      events: [{ counts: { passed, failed: 0, cancelled: 0 } }],
      files: 1,
      leftOut: 0,
      seconds: 0.81,
    });
  assert.deepEqual(run(1), { text: '1 file in 0.8 s\n1 passed, 0 failed, 0 skipped', isGood: true });
  assert.equal(run(0).isGood, false);
});

test('progress tells the files that are over, and the seconds that the rest may take at their pace', () => {
  assert.equal(progressOf({ done: 212, files: 340, seconds: 60 }), '212 of 340 files, 37 s left');
  assert.equal(progressOf({ done: 0, files: 340, seconds: 4 }), '0 of 340 files');
});
