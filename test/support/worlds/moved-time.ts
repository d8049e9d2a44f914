import type { TestContext } from 'node:test';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../lib/runtime/clock.js';
import { Pace } from '../../../lib/web/pace.js';
import { FakeClock } from '../fake-clock.js';

/**
 * Turns of the event loop, and milliseconds, without a request after which a program can only be waiting for a timer.
 */
const [quietTurns, quietMs] = [3, 1];
/** A time limit is an alarm. Aborts pending work after this many milliseconds without a request or a sleep. */
const patienceMs = 30_000;

/**
 * Replaces the machine's time for this process until the test ends. Time stops while a request is pending, and jumps
 * to the next timer once there is nothing else to do.
 */
export function movedTime(t: TestContext) {
  const clock = new FakeClock(Date.now());
  let requests = 0;
  for (const name of ['now', 'elapsed', 'sleep', 'alarm'] as const) {
    t.mock.method(systemClock as Required<typeof systemClock>, name, clock[name].bind(clock) as never);
  }
  const { run } = Pace.prototype;
  t.mock.method(
    Pace.prototype,
    'run',
    function counted(this: Pace, work: () => Promise<unknown>, ...rest: never[]) {
      const count = async () => {
        requests += 1;
        try {
          return await work();
        } finally {
          requests -= 1;
        }
      };
      return run.call(this, count, ...(rest as unknown as [AbortSignal]));
    },
  );

  async function isQuiet(isOver: () => boolean): Promise<boolean> {
    for (let turn = 0; turn < quietTurns; turn += 1) {
      await setImmediate();
      if (requests > 0 || isOver()) return false;
    }
    await wait(quietMs);
    return requests === 0 && !isOver();
  }

  return {
    clock,
    /** Waits for work, advancing time as far as it needs. */
    async passing<T>(work: Promise<T>): Promise<T> {
      let isOver = false;
      let idleSince = performance.now();
      const end = () => {
        isOver = true;
      };
      work.then(end, end);
      while (!isOver) {
        if (await isQuiet(() => isOver)) {
          const isLimit = clock.untilNext(false) === undefined;
          if (!isLimit) idleSince = performance.now();
          if (!isLimit || performance.now() - idleSince > patienceMs)
            await clock.advance(clock.untilNext(isLimit) ?? 0);
        } else idleSince = performance.now();
      }
      return work;
    },
  };
}
