import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Watch, type WatchOptions, type WatchResult } from '../../../src/files/watch/watch.js';
import type {
  WatchDelivery,
  WatchRun,
  WatchState,
  WatchStore,
} from '../../../src/files/watch/watch-store.js';
import { parseTimetable } from '../../../src/service/schedule/timetable.js';
import { FakeClock } from '../../support/fake-clock.js';

const hour = 3_600_000;
const start = Date.parse('2026-01-01T00:00:00Z');

/** A watch over a store that outlives it, and everything it did. */
function watchHarness(over: Partial<WatchOptions> = {}) {
  const clock = new FakeClock(start);
  const states = new Map<string, WatchState>();
  const store: WatchStore = {
    read: async (id) => states.get(id) ?? null,
    write: async (id, state) => void states.set(id, state),
  };
  const runs: (WatchRun & { readonly takenUp: boolean })[] = [];
  const nextRuns: number[] = [];
  const delivered: WatchDelivery[] = [];
  const outcome: { finished: boolean; crash: boolean } = { finished: true, crash: false };
  let ids = 0;
  const begin = (more: Partial<WatchOptions> = {}) => {
    const ending = new AbortController();
    const watch = new Watch({
      id: 'w',
      store,
      timetable: parseTimetable('6h'),
      clock,
      signal: ending.signal,
      outputOf: async (at) => `out-${(at - start) / hour}`,
      newDeliveryId: () => `whd_${++ids}`,
      async run(run, takenUp): Promise<WatchResult> {
        runs.push({ ...run, takenUp });
        // A killed process: nothing after this happens any more.
        if (outcome.crash) await new Promise(() => undefined);
        return { finished: outcome.finished, report: { at: run.at } };
      },
      async onNext(at) {
        nextRuns.push((at - start) / hour);
      },
      deliver: async (delivery) => void delivered.push(delivery),
      ...over,
      ...more,
    });
    return { ended: watch.start(), end: () => ending.abort() };
  };
  const hours = () => runs.map(({ at }) => (at - start) / hour);
  return { clock, states, runs, nextRuns, delivered, outcome, begin, hours };
}

async function settle() {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

describe('a watch', () => {
  test('runs immediately and then at its times, and prints the next one', async () => {
    const { clock, begin, hours, nextRuns, delivered } = watchHarness();
    const { ended, end } = begin();
    await settle();
    await clock.advance(13 * hour);
    assert.deepEqual(hours(), [0, 6, 12]);
    assert.deepEqual(nextRuns, [6, 12, 18]);
    const times = delivered.map(({ body }) => JSON.parse(body).next_run_at);
    const expected = ['06', '12', '18'].map((hour) => `2026-01-01T${hour}:00:00.000Z`);
    assert.deepEqual(times, expected);
    end();
    await ended;
  });

  test('restarted, continues its timetable, and makes up missed runs once', async () => {
    const { clock, begin, hours } = watchHarness();
    const first = begin();
    await settle();
    first.end();
    await first.ended;
    await clock.advance(2 * hour);
    const second = begin();
    await settle();
    assert.deepEqual(hours(), [0]);
    second.end();
    await second.ended;
    await clock.advance(50 * hour);
    const third = begin();
    await settle();
    assert.deepEqual(hours(), [0, 52]);
    await clock.advance(3 * hour);
    assert.deepEqual(hours(), [0, 52, 54]);
    third.end();
    await third.ended;
  });

  test('that is killed in a run resumes it in the same output, without duplicates', async () => {
    const { clock, begin, runs, outcome, states } = watchHarness();
    outcome.crash = true;
    begin();
    await settle();
    outcome.crash = false;
    await clock.advance(hour);
    const { ended, end } = begin();
    await settle();
    const rows = runs.map(({ output, takenUp }) => [output, takenUp]);
    assert.deepEqual(rows, [
      ['out-0', false],
      ['out-0', true],
    ]);
    assert.equal(states.get('w')?.run, null);
    await clock.advance(5 * hour);
    assert.equal(runs.at(-1)?.output, 'out-6');
    end();
    await ended;
  });

  test('resumes an unfinished run at the next time, not immediately', async () => {
    const { clock, begin, runs, outcome } = watchHarness();
    outcome.finished = false;
    const { ended, end } = begin();
    await settle();
    await clock.advance(5 * hour);
    assert.equal(runs.length, 1);
    await clock.advance(hour);
    assert.deepEqual([runs.length, runs[1]?.output, runs[1]?.takenUp], [2, 'out-0', true]);
    end();
    await ended;
  });

  test('notices a clock that is set, forward and back', async () => {
    const { clock, begin, runs } = watchHarness();
    // Sleeps go by no clock that people set.
    let step = 0;
    const wall = { ...clock, now: () => clock.now() + step, sleep: clock.sleep.bind(clock) };
    const { ended, end } = begin({ clock: { ...wall, alarm: clock.alarm.bind(clock) } });
    await settle();
    step = 7 * hour;
    await clock.advance(60_000);
    assert.equal(runs.length, 2);
    // Back by a day: the next run is at most a period away by the new time.
    step = -24 * hour;
    await clock.advance(5 * hour);
    assert.equal(runs.length, 2);
    await clock.advance(hour);
    assert.equal(runs.length, 3);
    end();
    await ended;
  });

  test('runs once where something else has the timetable', async () => {
    const { begin, runs, clock } = watchHarness();
    for (let run = 1; run <= 2; run += 1) {
      const result = await begin({ timetable: null }).ended;
      assert.equal(result?.finished, true);
      assert.equal(runs.length, run);
      await clock.advance(1000);
    }
  });

  test('posts pending reports of an earlier process, under the same id', async () => {
    const { begin, delivered, states } = watchHarness();
    begin({ deliver: () => new Promise(() => undefined) });
    await settle();
    const delivery = states.get('w')?.delivery;
    assert.ok(delivery);
    const { ended, end } = begin();
    await settle();
    assert.deepEqual(delivered, [delivery]);
    assert.equal(states.get('w')?.delivery, null);
    end();
    await ended;
  });
});
