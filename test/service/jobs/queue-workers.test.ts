import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PgBoss } from 'pg-boss';
import { QueueWorkers } from '../../../src/service/jobs/postgres/queue-workers.js';

/** The workers of a queue and one of another; `called` records the workers that were notified. */
function queue(size: number) {
  const called: string[] = [];
  const worker = (id: string, name: string) => ({ id, name, count: 0 });
  const mine = Array.from({ length: size }, (_, at) => worker(`${at}`, 'rest-maps'));
  const boss = {
    getWipData: () => [worker('other', 'webhooks'), ...mine],
    notifyWorker: (id: string) => called.push(id),
  } as unknown as PgBoss;
  const workers = new QueueWorkers(boss, 'rest-maps');
  /** A worker has found a task; what it returns ends that. */
  const find = (at: number) => {
    const one = mine[at] as { count: number };
    one.count = 1;
    let end: () => void = () => undefined;
    const ran = workers.run(() => new Promise((resolve) => (end = resolve)));
    return async () => {
      end();
      await ran;
      one.count = 0;
    };
  };
  const calls = () => called.splice(0).toSorted();
  return { workers, find, calls };
}

test('of the workers of a queue that has nothing to do one looks for tasks', () => {
  const { workers, calls } = queue(3);
  workers.wake();
  assert.deepEqual(calls(), ['0']);
});

test('a worker that finds a task looks again after it, and calls another one, until all are at work', () => {
  const { workers, find, calls } = queue(3);
  find(0);
  assert.deepEqual(calls(), ['0', '1']);
  find(1);
  assert.deepEqual(calls(), ['0', '1', '2']);
  find(2);
  assert.deepEqual(calls(), ['0', '1', '2']);
  workers.wake();
  assert.deepEqual(calls(), []);
});
