import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { CallAbort } from '../../lib/runtime/abort.js';

test('listeners are called once, and the first reason stays', () => {
  const abort = new CallAbort();
  const reasons: unknown[] = [];
  abort.addEventListener('abort', () => reasons.push(abort.reason));
  abort.throwIfAborted();
  abort.abort('first');
  abort.abort('second');
  assert.deepEqual(reasons, ['first']);
  assert.ok(abort.aborted);
  assert.throws(
    () => abort.throwIfAborted(),
    (reason) => reason === 'first',
  );
});

test('a removed listener is not called', () => {
  const abort = new CallAbort();
  const listener = () => assert.fail();
  abort.addEventListener('abort', listener);
  abort.removeEventListener('abort', listener);
  abort.abort('now');
});

test('it follows another signal until it is unlinked, and leaves nothing there', () => {
  const controller = new AbortController();
  const [follows, leaves] = [new CallAbort(controller.signal), new CallAbort(controller.signal)];
  leaves.unlink();
  assert.equal(getEventListeners(controller.signal, 'abort').length, 1);
  controller.abort('over');
  assert.equal(follows.reason, 'over');
  assert.ok(!leaves.aborted);
});

test('it is aborted from the beginning along with a signal that was', () => {
  assert.equal(new CallAbort(AbortSignal.abort('over')).reason, 'over');
});
