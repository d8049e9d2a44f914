import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SingleFlight } from '../../lib/cache/single-flight.js';
import { CallAbort, type CallSignal } from '../../lib/runtime/abort.js';

/** Work that ends when the test says so. */
function workshop() {
  const runs: { finish: (value: string) => void; fail: (reason: unknown) => void; signal: CallSignal }[] = [];
  const work = (signal: CallSignal) =>
    new Promise<string>((finish, fail) => {
      runs.push({ finish, fail, signal });
    });
  return { begun: runs, work, flights: new SingleFlight<string>() };
}

const reasons = (settled: PromiseSettledResult<string>[]) =>
  settled.map((one) => (one.status === 'rejected' ? one.reason : one.value));

describe('equal work at the same time', () => {
  test('is done once for fifty that want it', async () => {
    const { begun: runs, work, flights } = workshop();
    const waiting = Array.from({ length: 50 }, () => flights.run('a', work));
    await setImmediate();
    assert.equal(runs.length, 1);
    runs[0]?.finish('done');
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['done']));
    assert.equal(runs[0]?.signal.aborted, false);
  });

  test('runs separately for different keys', async () => {
    const { begun: runs, work, flights } = workshop();
    const waiting = ['a', 'b'].map((key) => flights.run(key, work));
    runs[0]?.finish('first');
    runs[1]?.finish('second');
    assert.deepEqual(await Promise.all(waiting), ['first', 'second']);
  });

  test('fails for all waiting callers, and starts again for the next one', async () => {
    const { begun: runs, work, flights } = workshop();
    const waiting = Array.from({ length: 5 }, () => flights.run('a', work));
    const failure = new Error('blocked');
    runs[0]?.fail(failure);
    assert.deepEqual(new Set(reasons(await Promise.allSettled(waiting))), new Set([failure]));
    const next = flights.run('a', work);
    assert.equal(runs.length, 2);
    runs[1]?.finish('done');
    assert.equal(await next, 'done');
  });
});

describe('callers that give up', () => {
  test('learn it immediately, while the others keep waiting', async () => {
    const { begun: runs, work, flights } = workshop();
    const impatient = new AbortController();
    const [leaving, stays] = [impatient.signal, undefined].map((signal) => flights.run('a', work, signal));
    impatient.abort(new Error('enough'));
    await assert.rejects(leaving ?? Promise.resolve(), /enough/);
    assert.equal(runs[0]?.signal.aborted, false);
    runs[0]?.finish('done');
    assert.equal(await stays, 'done');
  });

  test('stop the work if they are the last, each with its own reason', async () => {
    const { begun: runs, work, flights } = workshop();
    const controllers = Array.from({ length: 50 }, () => new AbortController());
    const waiting = controllers.map(({ signal }) => flights.run('a', work, signal));
    controllers.slice(1).forEach((one, index) => {
      one.abort(index);
    });
    await Promise.allSettled(waiting.slice(1));
    assert.equal(runs[0]?.signal.aborted, false);
    controllers[0]?.abort('last');
    assert.deepEqual(reasons(await Promise.allSettled(waiting)), ['last', ...Array(49).keys()]);
    assert.equal(runs[0]?.signal.aborted, true);
  });

  test('free the key for a new start, which the end of the old work does not affect', async () => {
    const { begun: runs, work, flights } = workshop();
    const controller = new AbortController();
    const leaving = flights.run('a', work, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(leaving, /enough/);
    const next = flights.run('a', work);
    const joined = flights.run('a', work);
    runs[0]?.fail(new Error('the old work heard of it'));
    await setImmediate();
    const late = flights.run('a', work);
    assert.equal(runs.length, 2);
    runs[1]?.finish('done');
    assert.deepEqual(await Promise.all([next, joined, late]), ['done', 'done', 'done']);
  });

  test('do not stop it when somebody joined in the same moment', async () => {
    const { begun: runs, work, flights } = workshop();
    const controller = new AbortController();
    const leaving = flights.run('a', work, controller.signal);
    controller.abort(new Error('enough'));
    const joined = flights.run('a', work);
    await assert.rejects(leaving, /enough/);
    assert.equal(runs[0]?.signal.aborted, false);
    runs[0]?.finish('done');
    assert.equal(await joined, 'done');
  });

  test('stops once all of its callers have stopped, and starts again for the next one', async () => {
    const { begun: runs, work, flights } = workshop();
    const stops = [new CallAbort(), new CallAbort()];
    const waiting = stops.map((stop) => flights.run('a', work, new CallAbort(undefined, stop)));
    waiting.push(flights.run('a', work));
    stops[0]?.abort('first');
    stops[1]?.abort('second');
    assert.equal(runs[0]?.signal.stop?.aborted, false, 'somebody still wants it');
    runs[0]?.finish('done');
    assert.deepEqual(await Promise.all(waiting), ['done', 'done', 'done']);

    const stop = new CallAbort();
    const alone = flights.run('a', work, new CallAbort(undefined, stop));
    stop.abort('stopped');
    assert.equal(runs[1]?.signal.stop?.reason, 'stopped');
    const again = flights.run('a', work);
    assert.equal(runs.length, 3);
    runs[1]?.fail('stopped');
    runs[2]?.finish('anew');
    assert.deepEqual(reasons(await Promise.allSettled([alone, again])), ['stopped', 'anew']);
  });
});
