import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CallAbort } from '../../../lib/runtime/abort.js';
import { FairSlots } from '../../../lib/web/browser/fair-slots.js';

test('callers take turns, however many requests each has', async () => {
  const turns = new FairSlots(1);
  const order: string[] = [];
  const work = async (caller: string, name: string) => {
    const leave = await turns.take(caller, new CallAbort());
    order.push(name);
    await setImmediate();
    leave();
    leave();
  };
  const all = [1, 2, 3, 4].map((at) => work('a', `a${at}`));
  all.push(work('b', 'b1'), work('c', 'c1'), work('b', 'b2'));
  assert.ok(turns.isAwaited && turns.isFull);
  await Promise.all(all);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  assert.deepEqual([turns.taken, turns.isAwaited], [0, false]);
});

test('a caller that leaves the queue takes no slot', async () => {
  const turns = new FairSlots(1);
  const leave = await turns.take('a', new CallAbort());
  const abort = new CallAbort();
  const turn = turns.take('b', abort);
  const waiting = turns.take('c', new CallAbort());
  abort.abort(new Error('given up'));
  await assert.rejects(turn, /given up/);
  leave();
  (await waiting)();
  assert.equal(turns.taken, 0);
  await assert.rejects(turns.take('d', abort), /given up/);
});

test('no more callers run at a time than there are slots', async () => {
  const turns = new FairSlots(2);
  let now = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const leave = await turns.take(`caller ${at % 7}`, new CallAbort());
      now += 1;
      most = Math.max(most, now);
      await setImmediate();
      now -= 1;
      leave();
    }),
  );
  assert.deepEqual([most, turns.taken], [2, 0]);
});
