import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { JobAtWork, JobStatus } from '../../../src/service/jobs/job.js';
import type { LineStore } from '../../../src/service/jobs/runner/line-store.js';
import { Runner } from '../../../src/service/jobs/runner/runner.js';
import type { TaskHandler, Tasks } from '../../../src/service/jobs/runner/tasks.js';
import { picky } from './harness.js';

/** Tasks that the test hands out itself. */
function tasksByHand() {
  let handle: TaskHandler = async () => undefined;
  const tasks: Tasks = {
    start: (handler) => {
      handle = handler;
    },
    wake: () => undefined,
    stop: async () => undefined,
  };
  return { tasks, hand: (job: string, signal: AbortSignal) => handle({ job, first: 0 }, signal) };
}

const jobAtWork = (id: string, total = 1): JobAtWork => ({
  ...{ id, account: 'acc_1', status: 'running', endpoint: 'maps/place', credits: 3, key: undefined },
  ...{ lineOptions: {}, schedule: null, total, extent: { lines: 0, bytes: 0, lateBytes: 0 } },
});

test('a slice that is taken up while jobs are looked at is not given up', async () => {
  const { tasks, hand } = tasksByHand();
  const committed: string[] = [];
  const looked = new AbortController();
  const [reading, answering] = [new AbortController(), new AbortController()];
  const store: LineStore = {
    takeUp: async (id) => ({
      job: jobAtWork(id),
      pending: async () => [0],
      input: () => '{"query":"a cafe"}',
    }),
    async states(ids) {
      looked.abort();
      await once(reading.signal, 'abort');
      return new Map(ids.map((id): [string, JobStatus] => [id, 'running']));
    },
    async commit(id) {
      committed.push(id);
      return 'finished';
    },
    begin: async () => undefined,
    lookUp: () => assert.fail('No schedule made it.'),
    writeCancelled: async () => true,
  };
  const runner = new Runner({
    ...{ tasks, store, clock: systemClock, endpoints, gather: async () => undefined },
    ...{ docsBase: 'https://docs.example', slots: () => 4, cooldownMs: 0 },
    onFinished: () => undefined,
    onLeft: () => undefined,
    onError: (_job, cause) => assert.fail(String(cause)),
    async ask(...args) {
      if (!answering.signal.aborted) await once(answering.signal, 'abort');
      return picky(...args);
    },
  });
  runner.start();
  const work = (job: string) => hand(job, new AbortController().signal);
  const first = work('job_1');
  await Promise.resolve();
  await new Promise(setImmediate);
  runner.wake();
  if (!looked.signal.aborted) await once(looked.signal, 'abort');
  const second = work('job_2');
  await new Promise(setImmediate);
  reading.abort();
  await new Promise(setImmediate);
  answering.abort();
  await Promise.all([first, second]);
  assert.deepEqual(committed.toSorted(), ['job_1', 'job_2']);
  await runner.stop();
});

test('what has ended when the work is stopped is written before the slice is left to others', async () => {
  const { tasks, hand } = tasksByHand();
  const groups: number[][] = [];
  const [writing, written] = [new AbortController(), new AbortController()];
  const store: LineStore = {
    takeUp: async (id) => ({
      ...{ job: jobAtWork(id, 3), pending: async () => [0, 1, 2] },
      input: (index) => JSON.stringify({ query: `q${index}` }),
    }),
    async commit(_id, finished) {
      writing.abort();
      if (!written.signal.aborted) await once(written.signal, 'abort');
      groups.push(finished.map(({ index }) => index));
      return 'kept';
    },
    ...{ states: async () => new Map(), begin: async () => undefined },
    ...{ lookUp: () => assert.fail('No schedule made it.'), writeCancelled: async () => true },
  };
  const [asked, answering] = [new AbortController(), new AbortController()];
  const runner = new Runner({
    ...{ tasks, store, clock: systemClock, endpoints, gather: async () => undefined },
    ...{ docsBase: 'https://docs.example', slots: () => 4, cooldownMs: 0 },
    onFinished: () => undefined,
    onLeft: () => undefined,
    onError: (_job, cause) => assert.fail(String(cause)),
    async ask(endpoint, params, caller, signal) {
      if (params.query === 'q1') asked.abort();
      if (params.query === 'q1' && !answering.signal.aborted) await once(answering.signal, 'abort');
      if (params.query === 'q2') await once(signal, 'abort');
      signal.throwIfAborted();
      return picky(endpoint, params, caller, signal);
    },
  });
  runner.start();
  const stopping = new AbortController();
  const stoppedWork = assert.rejects(hand('job_1', stopping.signal), /stopped/);
  await once(writing.signal, 'abort');
  if (!asked.signal.aborted) await once(asked.signal, 'abort');
  answering.abort();
  // The second input ends while the line of the first is being written; the third is aborted.
  await new Promise(setImmediate);
  stopping.abort(new Error('stopped'));
  written.abort();
  await stoppedWork;
  assert.deepEqual(groups, [[0], [1]]);
  await runner.stop();
});

test('a job whose last line is being written is not taken for one that ended elsewhere', async () => {
  const { tasks, hand } = tasksByHand();
  const [writing, written] = [new AbortController(), new AbortController()];
  const events: string[] = [];
  const store: LineStore = {
    takeUp: async (id) => ({ job: jobAtWork(id), pending: async () => [0], input: () => '{"query":"q"}' }),
    async commit() {
      writing.abort();
      await once(written.signal, 'abort');
      return 'finished';
    },
    // Readers see the commit before it is on the disk.
    ...{ states: async () => new Map(), begin: async () => undefined },
    ...{ lookUp: () => assert.fail('No schedule made it.'), writeCancelled: async () => true },
  };
  const runner = new Runner({
    ...{ tasks, store, clock: systemClock, endpoints, gather: async () => undefined, ask: picky },
    ...{ docsBase: 'https://docs.example', slots: () => 4, cooldownMs: 0 },
    onFinished: (job) => events.push(`finished ${job}`),
    onLeft: (job) => events.push(`left ${job}`),
    onError: (_job, cause) => assert.fail(String(cause)),
  });
  runner.start();
  const working = hand('job_1', new AbortController().signal);
  await once(writing.signal, 'abort');
  await runner.checkJobs();
  await runner.checkJobs();
  written.abort();
  await working;
  assert.deepEqual(events, ['finished job_1']);
  await runner.stop();
});

test('the signal of a node keeps no slice that is done', async () => {
  const { tasks, hand } = tasksByHand();
  const store: LineStore = {
    takeUp: async (id) => ({ job: jobAtWork(id), pending: async () => [0], input: () => '{"query":"q"}' }),
    ...{ commit: async () => 'finished', states: async () => new Map(), begin: async () => undefined },
    ...{ lookUp: () => assert.fail('No schedule made it.'), writeCancelled: async () => true },
  };
  const runner = new Runner({
    ...{ tasks, store, clock: systemClock, endpoints, gather: async () => undefined, ask: picky },
    ...{ docsBase: 'https://docs.example', slots: () => 4, cooldownMs: 0 },
    onFinished: () => undefined,
    onLeft: () => undefined,
    onError: (_job, cause) => assert.fail(String(cause)),
  });
  runner.start();
  const { signal } = new AbortController();
  const listenerCount = () => getEventListeners(signal, 'abort').length;
  const [first, second] = [hand('job_1', signal), hand('job_2', signal)];
  await new Promise(setImmediate);
  assert.ok(listenerCount() <= 2);
  await Promise.all([first, second]);
  assert.equal(listenerCount(), 0);
  await runner.stop();
});

test('a job whose inputs went with its account is left without a fault', async () => {
  const { tasks, hand } = tasksByHand();
  const leftovers: string[] = [];
  const store: LineStore = {
    takeUp: async (id) => ({
      job: jobAtWork(id),
      pending: async () => [0],
      input: () => Promise.reject(new Error('The job is gone.')),
    }),
    states: async () => new Map(),
    commit: async () => 'gone',
    begin: async () => undefined,
    lookUp: () => assert.fail('No schedule made it.'),
    writeCancelled: async () => true,
  };
  const runner = new Runner({
    ...{ tasks, store, clock: systemClock, endpoints, gather: async () => undefined, ask: picky },
    ...{ docsBase: 'https://docs.example', slots: () => 4, cooldownMs: 0 },
    onFinished: () => undefined,
    onLeft: (job) => leftovers.push(job),
    onError: (_job, cause) => assert.fail(String(cause)),
  });
  runner.start();
  await hand('job_1', new AbortController().signal);
  await runner.checkJobs();
  assert.deepEqual(leftovers, ['job_1']);
  await runner.stop();
});
