import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunningCalls } from '../../../src/faces/mcp/running-calls.js';
import { FakeClock } from '../../support/fake-clock.js';

test('of two calls with one ID the last can be cancelled when the first has ended', () => {
  const calls = new RunningCalls(new FakeClock(), undefined);
  const name = { credential: '', session: 'one', request: 0 };
  const [first, second] = [new AbortController(), new AbortController()];
  const cancelled: string[] = [];
  calls.add(name, first.signal, () => cancelled.push('first'));
  calls.add(name, second.signal, () => cancelled.push('second'));
  first.abort();
  assert.equal(calls.cancel(name), true);
  assert.deepEqual(cancelled, ['second']);
  second.abort();
  assert.equal(calls.cancel(name), false);
});
