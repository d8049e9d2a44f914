import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { slowTests } from '../../scripts/slow-tests.js';
import { summaryOf } from '../../scripts/test-summary.js';

test('the summary says what ran, what was skipped and left out, and why', () => {
  const reason = 'no Chromium on PATH';
  const text = summaryOf({
    events: [
      { skipped: 'suite', reason },
      { skipped: 'test', reason: 'no captures' },
      { skipped: 'test', reason },
      { skipped: 'test', reason },
      { counts: { passed: 12, failed: 1, cancelled: 2 } },
    ],
    files: 3,
    leftOut: ['walks a browser', 'walks a browser', 'builds'],
    seconds: 61.4,
  });
  assert.deepEqual(text.split('\n'), [
    '',
    '3 files in 61 s',
    'Left out by --quick, 3 files:',
    '  2 files: walks a browser',
    '  1 file: builds',
    'Skipped:',
    '  2 tests and 1 suite: no Chromium on PATH',
    '  1 test: no captures',
    '12 passed, 3 failed, 4 skipped',
  ]);
});

test('a run without anything left out says no more than its counts', () => {
  const text = summaryOf({
    events: [{ counts: { passed: 1, failed: 0, cancelled: 0 } }],
    files: 1,
    leftOut: [],
    seconds: 0.81,
  });
  assert.equal(text, '\n1 file in 0.8 s\n1 passed, 0 failed, 0 skipped');
});

test('every slow file that is named is there, and is named once', () => {
  const files = readdirSync(path.join(packageRoot(), 'test'), { recursive: true }).map(
    (name) => `test/${String(name).replaceAll(path.sep, '/')}`,
  );
  const beginnings = slowTests.flatMap((group) => group.files);
  for (const beginning of beginnings) {
    assert.ok(
      files.some((file) => /\.test\.tsx?$/.test(file) && file.startsWith(beginning)),
      beginning,
    );
  }
  for (const file of files)
    assert.ok(beginnings.filter((beginning) => file.startsWith(beginning)).length < 2, file);
});
