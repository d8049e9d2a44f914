import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { hourMs, minuteMs, systemClock } from '../../lib/runtime/clock.js';
import { DateWatch } from '../../lib/runtime/date-watch.js';
import { FakeClock } from '../support/fake-clock.js';

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

test('a date that leapt is doubted for an hour, and so is the one that it is corrected to', async () => {
  for (const leap of [minuteMs, 8 * 24 * hourMs, -minuteMs]) {
    const clock = new FakeClock();
    const date = new DateWatch(clock);
    const steadyAfter = async (ms: number) => {
      await clock.advance(ms);
      return date.isSteady();
    };
    assert.deepEqual([await steadyAfter(0), await steadyAfter(90 * 24 * hourMs)], [true, true]);
    const before = clock.now();
    clock.set(before + leap);
    const steady = [date.isSteady(), await steadyAfter(hourMs - 1), await steadyAfter(1)];
    assert.deepEqual(steady, [false, false, true]);
    clock.set(before + hourMs);
    assert.deepEqual([date.isSteady(), await steadyAfter(hourMs)], [false, true]);
  }
});

test('a date that runs a little fast is never doubted', async () => {
  const clock = new FakeClock();
  const date = new DateWatch(clock);
  for (let round = 0; round < 100; round += 1) {
    await clock.advance(10 * minuteMs);
    clock.set(clock.now() + 1_000);
    assert.equal(date.isSteady(), true);
  }
});
