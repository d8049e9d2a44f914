import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PeriodicTask } from '../../lib/runtime/periodic-task.js';
import { FakeClock } from '../support/fake-clock.js';

describe('a periodic task', () => {
  test('runs after a pause, and again as long after the end of each run', async () => {
    const clock = new FakeClock();
    let runs = 0;
    const task = new PeriodicTask(clock, 1000, async () => {
      runs += 1;
    });
    task.arm();
    task.arm(1);
    await clock.advance(999);
    assert.equal(runs, 0);
    await clock.advance(1);
    assert.equal(runs, 1);
    await clock.advance(1000);
    assert.equal(runs, 2);
    await task.stop();
    await clock.advance(5000);
    assert.equal(runs, 2);
  });

  test('pauses for as long as a run says, and rests after null', async () => {
    const clock = new FakeClock();
    const pauses = [10, null];
    let runs = 0;
    const task = new PeriodicTask(clock, 1000, async () => pauses[runs++]);
    await task.run();
    await clock.advance(10);
    assert.equal(runs, 2);
    await clock.advance(5000);
    assert.equal(runs, 2);
    task.arm();
    await clock.advance(1000);
    assert.equal(runs, 3);
    await task.stop();
  });

  test('runs once at a time: calls during a run share one further run, and stopping waits for the one under way', async () => {
    const clock = new FakeClock();
    const ends: (() => void)[] = [];
    const task = new PeriodicTask(clock, 1000, () => new Promise<void>((resolve) => ends.push(resolve)));
    const first = task.run();
    const [second, third] = [task.run(), task.run()];
    assert.equal(ends.length, 1);
    ends[0]?.();
    await first;
    await new Promise(setImmediate);
    assert.equal(ends.length, 2);
    let isStopped = false;
    const stopped = task.stop().then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    assert.equal(isStopped, false);
    ends[1]?.();
    await Promise.all([second, third, stopped]);
    await task.run();
    await clock.advance(5000);
    assert.equal(ends.length, 2);
  });
});
