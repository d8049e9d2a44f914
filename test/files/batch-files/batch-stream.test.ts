import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runToSink } from '../../../src/files/batch-files/batch-run.js';
import type { InputResult } from '../../../src/files/batch-files/line-format.js';
import { streamOutput } from '../../../src/files/batch-files/output.js';
import { streamSink } from '../../../src/files/batch-files/run-sink.js';
import { batchRuns, inputOf, inputsIn, many } from './batch-runs.js';

const { planOf, spent } = batchRuns();
type Write = (text: string) => Promise<void>;

describe('a batch into a stream', () => {
  const streamed = (count: number, write: Write) =>
    runToSink(planOf(inputsIn(inputOf(many(count))), { concurrency: 4 }), streamSink(streamOutput(write)));

  /** Stops at the third result, and interrupts it and the following ones. */
  const interrupted = (write: Write) => {
    const stop = new AbortController();
    let count = 0;
    const steps = {
      async ahead() {
        count += 1;
        if (count === 3) stop.abort();
        await nextTurn();
        return stop.signal.aborted ? ('interrupted' as const) : ('done' as const);
      },
      apply: async (line: InputResult) => line,
    };
    const plan = planOf(inputsIn(inputOf(many(100))), { concurrency: 4, stop: stop.signal });
    return runToSink({ ...plan, steps }, streamSink(streamOutput(write)));
  };

  test('that is interrupted while it processes results writes the paid ones', async () => {
    let output = '';
    const ended = await interrupted(async (part) => {
      output += part;
    });
    assert.equal(ended.finished, false);
    const written = output.trim().split('\n').length;
    assert.ok(written >= 3 && written < 100, `${written} lines`);
    assert.equal(await spent(), written * 3);
  });

  test('that cannot be written refunds the results processed ahead', async () => {
    const ended = await interrupted(async () => {
      throw new Error('EPIPE');
    });
    assert.notEqual(ended.error, null);
    // The result whose line met the fault, and those that the writer had joined with it.
    assert.ok((await spent()) <= ended.totals.charged + 3, `${await spent()} credits`);
  });

  test('that fails at its first write refunds every result without a line', async () => {
    const steps = { ahead: async () => 'done' as const, apply: async (line: InputResult) => line };
    const plan = planOf(inputsIn(inputOf(many(100))), { concurrency: 4 });
    const write = async () => {
      for (let n = 0; n < 300; n += 1) await nextTurn();
      throw new Error('EPIPE');
    };
    const ended = await runToSink({ ...plan, steps }, streamSink(streamOutput(write)));
    assert.ok(ended.totals.inputs > 0 && ended.totals.inputs < 100, `${ended.totals.inputs} lines`);
    assert.equal(await spent(), ended.totals.charged);
  });

  test('writes the lines as they become final', async () => {
    let output = '';
    const ended = await streamed(50, async (part) => {
      output += part;
    });
    assert.deepEqual([ended.finished, output.trim().split('\n').length], [true, 50]);
  });

  test('ends with the reader, and refunds results that are not read', async () => {
    let writes = 0;
    const { error, finished, totals } = await streamed(5000, async () => {
      writes += 1;
      if (writes > 2) throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    });
    assert.equal((error as NodeJS.ErrnoException).code, 'EPIPE');
    assert.deepEqual([finished, await spent()], [false, totals.charged]);
    assert.ok(totals.inputs < 2000, `${totals.inputs}`);
  });

  test('is not read ahead of a reader that is slow', async () => {
    let taken = 0;
    async function* endless() {
      while (taken < 20_000) {
        taken += 1;
        yield Buffer.from(`{"name":"${'n'.repeat(500)}${taken}"}\n`);
      }
    }
    const blocked = Promise.withResolvers<void>();
    const stop = new AbortController();
    const plan = planOf(inputsIn(endless()), { concurrency: 8, stop: stop.signal });
    const running = runToSink(plan, streamSink(streamOutput(() => blocked.promise)));
    let before = -1;
    for (let same = 0; same < 200; ) {
      await nextTurn();
      same = taken === before ? same + 1 : 0;
      before = taken;
    }
    assert.ok(taken < 2500, `${taken} inputs were taken for a reader that reads nothing`);
    stop.abort();
    blocked.resolve();
    await running;
  });
});
