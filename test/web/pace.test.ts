import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CallAbort } from '../../lib/runtime/abort.js';
import { Pace } from '../../lib/web/pace.js';
import { FakeClock } from '../support/fake-clock.js';

const never = new AbortController().signal;

/** Work that notes when it starts and ends when the test says so. */
function works(clock: FakeClock) {
  const began = clock.now();
  const starts: [string, number][] = [];
  const ends = new Map<string, () => void>();
  return {
    starts,
    end: (name: string) => ends.get(name)?.(),
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        starts.push([name, clock.now() - began]);
        ends.set(name, () => resolve(name));
      }),
  };
}

test('a limited number runs at a time, in order', async () => {
  const clock = new FakeClock();
  const pace = new Pace(0, 2, clock);
  const { starts, work, end } = works(clock);
  const all = ['a', 'b', 'c', 'd'].map((name) => pace.run(work(name), never));
  await setImmediate();
  assert.deepEqual(starts.map(String), ['a,0', 'b,0']);
  end('b');
  await setImmediate();
  assert.deepEqual(starts.map(String), ['a,0', 'b,0', 'c,0']);
  end('a');
  await setImmediate();
  end('c');
  end('d');
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd']);
});

test('starts are a fixed time apart, in order, however many may run at a time', async () => {
  const clock = new FakeClock();
  const pace = new Pace(1500, 4, clock);
  const { starts, work } = works(clock);
  for (const name of ['a', 'b', 'c']) void pace.run(work(name), never);
  await clock.advance(1499);
  assert.deepEqual(starts.map(String), ['a,0']);
  await clock.advance(10_000);
  assert.deepEqual(starts.map(String), ['a,0', 'b,1500', 'c,3000']);
});

test('failed work frees its slot, and its error reaches the caller', async () => {
  const pace = new Pace(0, 1, new FakeClock());
  const failed = pace.run(async () => {
    throw new Error('broken');
  }, never);
  const next = pace.run(async () => 'next', never);
  await assert.rejects(failed, /broken/);
  assert.equal(await next, 'next');
});

test('a request aborted while queued rejects immediately, never starts and delays no other', async () => {
  const clock = new FakeClock();
  const pace = new Pace(1000, 1, clock);
  const { starts, work, end } = works(clock);
  const controller = new AbortController();
  const reason = new Error('stopped');
  void pace.run(work('a'), never);
  const queued = pace.run(work('b'), controller.signal);
  void pace.run(work('c'), never);
  await clock.advance(10);
  controller.abort(reason);
  await assert.rejects(queued, reason);
  end('a');
  await clock.advance(5000);
  assert.deepEqual(starts.map(String), ['a,0', 'c,1000']);
});

test('a clock that is set back does not extend a wait beyond the pace', async () => {
  const clock = new FakeClock();
  const pace = new Pace(1000, 1, clock);
  await pace.run(async () => {}, never);
  clock.set(clock.now() - 3_600_000);
  const { starts, work } = works(clock);
  void pace.run(work('a'), never);
  await clock.advance(1000);
  assert.equal(starts.length, 1);
});

test('a stop rejects waiting requests immediately, and lets running ones end', async () => {
  const clock = new FakeClock();
  const pace = new Pace(1500, 2, clock);
  const { starts, work, end } = works(clock);
  const stop = new CallAbort();
  const signals = ['a', 'b', 'c', 'd'].map((name) => [name, new CallAbort(undefined, stop)] as const);
  const all = signals.map(([name, signal]) => pace.run(work(name), signal));
  await clock.advance(10);
  stop.abort('stopped');
  const waiting = await Promise.allSettled(all.slice(1));
  assert.deepEqual(
    waiting.map((one) => one.status === 'rejected' && one.reason),
    ['stopped', 'stopped', 'stopped'],
  );
  end('a');
  assert.equal(await all[0], 'a');
  assert.deepEqual(starts.map(String), ['a,0']);
  // A later caller that was not stopped still runs.
  const later = pace.run(work('later'), never);
  await clock.advance(1500);
  end('later');
  assert.equal(await later, 'later');
});
