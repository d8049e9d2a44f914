import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../lib/runtime/clock.js';

for (const ms of [2 ** 31, Number.POSITIVE_INFINITY]) {
  test(`the machine's clock does not end a wait of ${ms} milliseconds immediately`, async () => {
    const ending = new AbortController();
    let woken = 'nothing';
    const stop = systemClock.alarm(ms, () => {
      woken = 'alarm';
    });
    const sleep = systemClock.sleep(ms, ending.signal).then(
      () => {
        woken = 'sleep';
      },
      () => undefined,
    );
    // Node.js ends a timer that is too long after one millisecond.
    await setTimeout(5);
    assert.equal(woken, 'nothing');
    stop();
    ending.abort();
    await sleep;
  });
}
