import assert from 'node:assert/strict';
import { test } from 'node:test';
import { age, newRequestId } from '../../lib/runtime/request-id.js';

test('request ids are unique, of one form, and in the order of time', () => {
  const ids = Array.from({ length: 20_000 }, () => newRequestId());
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.deepEqual(ids, ids.toSorted());
});

test('the age of a request does not jump with the clock', (t) => {
  const id = newRequestId();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 });
  assert.ok(age(id) < 60_000);
  assert.ok(newRequestId() > id);
});
