import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { notStarted, type OrderedOptions, resultsInOrder } from '../../lib/batch/ordered.js';
import type { CallSignal } from '../../lib/runtime/abort.js';

const never = new AbortController().signal;

function options(over: Partial<OrderedOptions<number>> = {}): OrderedOptions<number> {
  return {
    concurrency: 4,
    window: 16,
    weigh: () => 1,
    maxWaiting: 1000,
    stop: never,
    abandon() {},
    async discard() {},
    ...over,
  };
}

async function* count(to: number, inputs: number[] = []): AsyncGenerator<number> {
  for (let at = 0; at < to; at += 1) {
    inputs.push(at);
    yield at;
  }
}

/** Work that ends when the test says so. */
function gates() {
  const open = new Map<number, { done: (value: number) => void; fail: (error: unknown) => void }>();
  return {
    begun: open,
    work: (input: number) =>
      new Promise<number>((resolve, reject) => open.set(input, { done: resolve, fail: reject })),
    async until(holds: () => boolean) {
      for (let turns = 0; !holds(); turns += 1) {
        assert.ok(turns < 10_000, 'it never came');
        await setImmediate();
      }
    },
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
      for (let turns = (input * 7) % 5; turns > 0; turns -= 1) await setImmediate();
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
    const { begun: gatesByInput, work, until } = gates();
    const results = resultsInOrder(count(1000, inputs), work, options({ window: 10 }));
    const first = results.next();
    for (let input = 1; input < 10; input += 1) {
      await until(() => gatesByInput.has(input));
      gatesByInput.get(input)?.done(input);
    }
    for (let turns = 0; turns < 50; turns += 1) await setImmediate();
    assert.equal(gatesByInput.size, 10);
    assert.equal(inputs.length, 10);
    gatesByInput.get(0)?.done(0);
    assert.equal((await first).value, 0);
    for (let input = 1; input < 10; input += 1) assert.equal((await results.next()).value, input);
    await until(() => gatesByInput.has(10));
    for (const [input, { done }] of gatesByInput) done(input);
    await results.return();
  });

  test('results that wait are bounded by their weight', async () => {
    const inputs: number[] = [];
    const { begun: gatesByInput, work, until } = gates();
    const results = resultsInOrder(
      count(1000, inputs),
      work,
      options({ window: 500, maxWaiting: 6, weigh: () => 2 }),
    );
    const first = results.next();
    for (let input = 1; input <= 3; input += 1) {
      await until(() => gatesByInput.has(input));
      gatesByInput.get(input)?.done(input);
    }
    for (let turns = 0; turns < 50; turns += 1) await setImmediate();
    // Inputs read before the weight was reached: those running, and one turn's worth ahead.
    assert.ok(inputs.length <= 3 + 2 * 4 + 1, `${inputs.length} were taken`);
    gatesByInput.get(0)?.done(0);
    assert.equal((await first).value, 0);
    const leaving = results.return();
    for (const [input, { done }] of gatesByInput) done(input);
    await leaving;
  });

  test('a slow consumer pauses the reading', async () => {
    const inputs: number[] = [];
    const results = resultsInOrder(count(10_000, inputs), async (one) => one, options({ window: 8 }));
    await results.next();
    for (let turns = 0; turns < 50; turns += 1) await setImmediate();
    assert.ok(inputs.length <= 10, `${inputs.length} were taken`);
    await results.return();
  });

  test('an error is thrown at its position, after the earlier results; the rest is finished and discarded', async () => {
    const { begun: gatesByInput, work, until } = gates();
    const discarded: number[] = [];
    const results = resultsInOrder(
      count(100),
      work,
      options({ discard: async (one) => void discarded.push(one) }),
    );
    const outcomes: number[] = [];
    const end = assert.rejects(async () => {
      for await (const one of results) outcomes.push(one);
    }, /broken/);
    await until(() => gatesByInput.size === 4);
    gatesByInput.get(2)?.fail(new Error('broken'));
    for (let turns = 0; turns < 10; turns += 1) await setImmediate();
    gatesByInput.get(3)?.done(3);
    gatesByInput.get(0)?.done(0);
    gatesByInput.get(1)?.done(1);
    await end;
    assert.deepEqual(outcomes, [0, 1]);
    assert.deepEqual(discarded, [3]);
    assert.equal(gatesByInput.size, 4, 'nothing new was begun');
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
    const { begun: gatesByInput, work, until } = gates();
    const stop = new AbortController();
    const results = all(resultsInOrder(count(100), work, options({ stop: stop.signal })));
    await until(() => gatesByInput.size === 4);
    stop.abort();
    for (const [input, { done }] of gatesByInput) done(input);
    assert.deepEqual(await results, [0, 1, 2, 3]);
    assert.equal(gatesByInput.size, 4);
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
    const { begun: gatesByInput, work, until } = gates();
    const discarded: number[] = [];
    let abandoned = 0;
    const results = resultsInOrder(
      count(100),
      work,
      options({
        abandon() {
          abandoned += 1;
          for (const input of [2, 3]) gatesByInput.get(input)?.fail(new Error('given up'));
        },
        discard: async (one) => void discarded.push(one),
      }),
    );
    const first = results.next();
    await until(() => gatesByInput.size === 4);
    gatesByInput.get(0)?.done(0);
    gatesByInput.get(1)?.done(1);
    assert.equal((await first).value, 0);
    await until(() => gatesByInput.size > 4);
    for (const [input, { fail }] of gatesByInput) if (input > 3) fail(new Error('given up'));
    await results.return();
    assert.equal(abandoned, 1);
    assert.deepEqual(discarded, [1]);
  });
});
