import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { JobAtWork, JobStatus } from '../../../src/service/jobs/job.js';
import { QueueWorkers } from '../../../src/service/jobs/postgres/queue-workers.js';
import { LocalJobTasks } from '../../../src/service/jobs/runner/local-job-tasks.js';
import type { SliceTask } from '../../../src/service/jobs/runner/tasks.js';
import { FakeClock } from '../../support/fake-clock.js';

/** Jobs that are unfinished, what was handed out of them, and how it ended. */
function opened() {
  const clock = new FakeClock();
  const unfinished = new Map<string, JobStatus>();
  const handed: SliceTask[] = [];
  const ends: ((fault?: Error) => void)[] = [];
  const errors: unknown[] = [];
  const store = {
    faults: 0,
    async listUnfinished() {
      if (store.faults > 0) {
        store.faults -= 1;
        throw new Error('not now');
      }
      return [...unfinished].map(([id, status]) => ({ id, status }) as JobAtWork);
    },
  };
  const jobs = new LocalJobTasks({ store, clock, onError: (_job, cause) => errors.push(cause) });
  jobs.start(
    (task, signal) =>
      new Promise((resolve, reject) => {
        handed.push(task);
        ends.push((fault) => (fault === undefined ? resolve() : reject(fault)));
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  );
  const turns = async () => {
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  };
  return { clock, unfinished, handed, ends, errors, store, jobs, turns };
}

test('hands out a job once at a time, and again after a failure', async () => {
  const { clock, unfinished, handed, ends, jobs, turns } = opened();
  unfinished.set('job_1', 'running');
  jobs.wake();
  jobs.wake();
  await turns();
  await clock.advance(4000);
  assert.deepEqual(handed, [{ job: 'job_1', first: 0 }]);
  ends[0]?.(new Error('full'));
  await turns();
  jobs.wake();
  await turns();
  assert.equal(handed.length, 1, 'not at once');
  await clock.advance(2000);
  await clock.advance(2000);
  await turns();
  assert.equal(handed.length, 2);
  await jobs.stop();
});

test('hands out the lines of a cancelled job while its inputs still run', async () => {
  const { clock, unfinished, handed, ends, jobs, turns } = opened();
  unfinished.set('job_1', 'running');
  jobs.wake();
  await turns();
  unfinished.set('job_1', 'cancelled');
  await clock.advance(2000);
  await turns();
  assert.deepEqual(handed, [
    { job: 'job_1', first: 0 },
    { job: 'job_1', first: null },
  ]);
  unfinished.clear();
  for (const end of ends) end();
  await clock.advance(2000);
  assert.equal(handed.length, 2);
  await jobs.stop();
});

test('asks a failed store again, and hands out nothing after the end', async () => {
  const { clock, unfinished, handed, errors, store, jobs, turns } = opened();
  await turns();
  store.faults = 1;
  unfinished.set('job_1', 'queued');
  await clock.advance(2000);
  await turns();
  assert.deepEqual([errors.length, handed.length], [1, 0]);
  await clock.advance(2000);
  await turns();
  assert.equal(handed.length, 1);
  await jobs.stop();
  unfinished.set('job_2', 'queued');
  jobs.wake();
  await clock.advance(10_000);
  await turns();
  assert.equal(handed.length, 1);
});

test('only one worker of an idle queue looks for tasks, and one that finds a task wakes another', () => {
  const called: string[] = [];
  const mine = ['0', '1', '2'].map((id) => ({ id, name: 'rest-maps', count: 0 }));
  const boss = {
    getWipData: () => [{ id: 'other', name: 'webhooks', count: 0 }, ...mine],
    notifyWorker: (id: string) => called.push(id),
  } as unknown as PgBoss;
  const workers = new QueueWorkers(boss, 'rest-maps');
  const calls = () => called.splice(0).toSorted();
  workers.wake();
  assert.deepEqual(calls(), ['0']);
  for (const [at, woken] of ['0 1', '0 1 2', '0 1 2'].entries()) {
    Object.assign(mine[at] ?? {}, { count: 1 });
    void workers.run(() => new Promise(() => undefined));
    assert.equal(calls().join(' '), woken);
  }
  workers.wake();
  assert.deepEqual(calls(), []);
});
