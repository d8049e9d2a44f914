import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryText } from '../../../../src/faces/cli/batch/failed-text.js';
import { noTotals } from '../../../../src/files/batch-files/totals.js';

test('a retry is offered if it can help', () => {
  assert.match(retryText({ ...noTotals, failed: { invalid_url: 2, profile_not_found: 1 } }), /will not help/);
  assert.match(retryText({ ...noTotals, failed: { invalid_url: 2, platform_timeout: 1 } }), /--retry-failed/);
});
