import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { BoundedLog } from '../../src/output/bounded-log.js';
import { FakeClock } from '../support/fake-clock.js';

/** A reader that takes a line when the test says so. */
function stoppedReader() {
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    taken: lines,
    waiting,
    write: (line: string) =>
      new Promise<void>((resolve) => {
        waiting.push(() => {
          lines.push(line);
          resolve();
        });
      }),
    async go() {
      while (waiting.length > 0) {
        waiting.shift()?.();
        await setImmediate();
      }
    },
  };
}

test('a log without a reader is bounded, and later reports how much was lost', async () => {
  const reader = stoppedReader();
  const log = new BoundedLog(reader.write, new FakeClock(), 30);
  for (let line = 0; line < 10; line += 1) log.write(`line number ${line}\n`);
  assert.equal(reader.waiting.length, 2);
  await reader.go();
  const [first, second, lost, ...others] = reader.taken;
  assert.deepEqual([first, second, others], ['line number 0\n', 'line number 1\n', []]);
  assert.match(String(JSON.parse(lost ?? '').msg), /^8 lines of the log were lost/);
  log.write('after\n');
  await reader.go();
  assert.equal(reader.taken.at(-1), 'after\n');
});

test('a log whose reader has gone causes no error', async () => {
  const log = new BoundedLog(() => Promise.reject(new Error('EPIPE')), new FakeClock(), 30);
  for (let line = 0; line < 10; line += 1) log.write(`line number ${line}\n`);
  await setImmediate();
});
