import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { PendingBodies } from '../../../src/service/limits/pending-bodies.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';

const mib = 1024 * 1024;

/** Whether a promise has ended by now. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

describe('bodies under way', () => {
  test('of one account wait for each other, those of other accounts do not', async () => {
    const bodies = new PendingBodies(new FakeClock());
    const release = await bodies.take('many', 15 * mib);
    const second = bodies.take('many', 15 * mib);
    const third = bodies.take('many', 15 * mib);
    const other = await bodies.take('few', 15 * mib);
    assert.deepEqual([await isOver(second), await isOver(third)], [false, false]);
    release();
    release();
    (await second)();
    (await third)();
    other();
  });

  test('that find no room in time are refused, and how many wait is bounded', async () => {
    const clock = new FakeClock();
    const bodies = new PendingBodies(clock);
    await bodies.take('many', 16 * mib);
    const waiting = Array.from({ length: 32 }, () => bodies.take('many', mib));
    await assert.rejects(bodies.take('many', mib), refusal('rate_limited'));
    const refused = Promise.allSettled(waiting);
    await clock.advance(10_000);
    for (const one of await refused) {
      assert.ok(one.status === 'rejected' && one.reason instanceof ExtractError);
      assert.deepEqual([one.reason.code, one.reason.retryAfter], ['rate_limited', 10]);
    }
  });

  test('that are small find room however much all others send', async () => {
    const bodies = new PendingBodies(new FakeClock());
    for (let n = 0; n < 8; n += 1) await bodies.take(`large ${n}`, 16 * mib);
    const large = bodies.take('new', mib);
    assert.equal(await isOver(large), false);
    for (let n = 0; n < 50; n += 1) (await bodies.take('new', 200 * 1024))();
  });
});
