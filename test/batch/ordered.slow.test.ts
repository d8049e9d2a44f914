import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { notStarted, type OrderedOptions, resultsInOrder } from '../../lib/batch/ordered.js';
import type { CallSignal } from '../../lib/runtime/abort.js';

const never = new AbortController().signal;

const options = (over: Partial<OrderedOptions<number>> = {}): OrderedOptions<number> => ({
  ...{ concurrency: 4, window: 16, weigh: () => 1, maxWaiting: 1000, stop: never },
  ...{ abandon() {}, async discard() {} },
  ...over,
});

const pass = async (turns: number) => {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
};

async function* count(to: number, inputs: number[] = []): AsyncGenerator<number> {
  for (let at = 0; at < to; at += 1) {
    inputs.push(at);
    yield at;
  }
}

/** Work that ends when the test says so. */
function gates() {
  const started = new Map<number, { resolve(value: number): void; reject(error: Error): void }>();
  const until = async (holds: () => boolean) => {
    for (let turns = 0; !holds(); turns += 1) {
      assert.ok(turns < 10_000, 'it never came');
      await setImmediate();
    }
  };
  return {
    started,
    until,
    work: (input: number) =>
      new Promise<number>((resolve, reject) => void started.set(input, { resolve, reject })),
    /** Ends the work on these inputs, once each has started; on all that have, if none is named. */
    async finish(...inputs: readonly number[]) {
      for (const input of inputs.length === 0 ? started.keys() : inputs) {
        await until(() => started.has(input));
        started.get(input)?.resolve(input);
      }
    },
    fail: (input: number) => started.get(input)?.reject(new Error('broken')),
  };
}

async function all(results: AsyncIterable<number>): Promise<number[]> {
  const list: number[] = [];
  for await (const result of results) list.push(result);
  return list;
}

describe('ordered work', () => {
  test('returns results in the order of the inputs, whichever finishes first', async () => {
    const work = async (input: number) => {
      await pass((input * 7) % 5);
      return input;
    };
    const results = await all(resultsInOrder(count(200), work, options()));
    assert.deepEqual(results, [...Array(200).keys()]);
  });

  test('processes no more than the limit concurrently', async () => {
    let now = 0;
    let most = 0;
    const work = async (input: number) => {
      now += 1;
      most = Math.max(most, now);
      await setImmediate();
      now -= 1;
      return input;
    };
    await all(resultsInOrder(count(100), work, options({ concurrency: 3 })));
    assert.equal(most, 3);
  });

  test('one that hangs stops the others at the window and not before, and reading with them', async () => {
    const inputs: number[] = [];
    const { started, work, until, finish } = gates();
    const results = resultsInOrder(count(1000, inputs), work, options({ window: 10 }));
    const first = results.next();
    await finish(1, 2, 3, 4, 5, 6, 7, 8, 9);
    await pass(50);
    assert.deepEqual([started.size, inputs.length], [10, 10]);
    await finish(0);
    assert.equal((await first).value, 0);
    for (let input = 1; input < 10; input += 1) assert.equal((await results.next()).value, input);
    await until(() => started.has(10));
    await finish();
    await results.return();
  });

  test('results that wait are bounded by their weight', async () => {
    const inputs: number[] = [];
    const { work, finish } = gates();
    const heavy = options({ window: 500, maxWaiting: 6, weigh: () => 2 });
    const results = resultsInOrder(count(1000, inputs), work, heavy);
    const first = results.next();
    await finish(1, 2, 3);
    await pass(50);
    // Inputs read before the weight was reached: those running, and one turn's worth ahead.
    assert.ok(inputs.length <= 3 + 2 * 4 + 1, `${inputs.length} were taken`);
    await finish(0);
    assert.equal((await first).value, 0);
    const leaving = results.return();
    await finish();
    await leaving;
  });

  test('a slow consumer pauses the reading', async () => {
    const inputs: number[] = [];
    const results = resultsInOrder(count(10_000, inputs), async (one) => one, options({ window: 8 }));
    await results.next();
    await pass(50);
    assert.ok(inputs.length <= 10, `${inputs.length} were taken`);
    await results.return();
  });

  test('an error is thrown at its position, after the earlier results; the rest is finished and discarded', async () => {
    const { started, work, until, finish, fail } = gates();
    const discarded: number[] = [];
    const discard = async (one: number) => void discarded.push(one);
    const results = resultsInOrder(count(100), work, options({ discard }));
    const outcomes: number[] = [];
    const end = assert.rejects(async () => {
      for await (const one of results) outcomes.push(one);
    }, /broken/);
    await until(() => started.size === 4);
    fail(2);
    await pass(10);
    await finish(3, 0, 1);
    await end;
    assert.deepEqual([outcomes, discarded], [[0, 1], [3]]);
    assert.equal(started.size, 4, 'nothing new was started');
  });

  test('an error of the input is thrown after the results before it', async () => {
    async function* torn() {
      yield 1;
      yield 2;
      throw new Error('torn');
    }
    const results: number[] = [];
    await assert.rejects(async () => {
      for await (const one of resultsInOrder(torn(), async (one: number) => one, options()))
        results.push(one);
    }, /torn/);
    assert.deepEqual(results, [1, 2]);
  });

  test('a stop starts nothing new, finishes work in progress and ends without an error', async () => {
    const { started, work, until, finish } = gates();
    const stop = new AbortController();
    const results = all(resultsInOrder(count(100), work, options({ stop: stop.signal })));
    await until(() => started.size === 4);
    stop.abort();
    await finish();
    assert.deepEqual(await results, [0, 1, 2, 3]);
    assert.equal(started.size, 4);
  });

  test('a stop cancels work that is waiting for its turn', async () => {
    const stop = new AbortController();
    const work = (input: number, closing: CallSignal) =>
      input < 2
        ? Promise.resolve(input)
        : new Promise<number>((_, reject) => closing.addEventListener('abort', () => reject(notStarted)));
    const results = resultsInOrder(count(100), work, options({ stop: stop.signal }));
    assert.equal((await results.next()).value, 0);
    assert.equal((await results.next()).value, 1);
    stop.abort();
    assert.equal((await results.next()).done, true);
  });

  test('when the consumer leaves, work is aborted and finished results are discarded', async () => {
    const { started, work, until, finish, fail } = gates();
    const discarded: number[] = [];
    let abandoned = 0;
    const left = options({
      abandon() {
        abandoned += 1;
        for (const input of [2, 3]) fail(input);
      },
      discard: async (one) => void discarded.push(one),
    });
    const results = resultsInOrder(count(100), work, left);
    const first = results.next();
    await finish(0, 1);
    assert.equal((await first).value, 0);
    await until(() => started.size > 4);
    for (const input of started.keys()) if (input > 3) fail(input);
    await results.return();
    assert.deepEqual([abandoned, discarded], [1, [1]]);
  });
});
