import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { JobAtWork, JobStatus } from '../../../src/service/jobs/job.js';
import type { LineStore } from '../../../src/service/jobs/runner/line-store.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
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

const never = new AbortController().signal;
const turn = () => new Promise(setImmediate);

/** Waits until the signal of a controller is aborted. */
async function passed({ signal }: AbortController): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** A started runner over a store of jobs of one input, as far as the test does not say otherwise. */
function runnerOver(store: Partial<LineStore>, ask: CallFunction = picky) {
  const { tasks, hand } = tasksByHand();
  const events: string[] = [];
  const runner = new Runner({
    ...{ tasks, ask, clock: systemClock, endpoints, gather: async () => undefined },
    store: {
      resume: async (id) => ({ job: jobAtWork(id), pending: async () => [0], input: () => '{"query":"q"}' }),
      ...{ commit: async () => 'finished', states: async () => new Map(), begin: async () => undefined },
      ...{ lookUp: () => assert.fail('No schedule made it.'), writeCancelled: async () => true },
      ...store,
    },
    ...{ docsBase: 'https://docs.example', slots: () => 4, cooldownMs: 0 },
    onFinished: (job) => events.push(`finished ${job}`),
    onLeft: (job) => events.push(`left ${job}`),
    onError: (_job, cause) => assert.fail(String(cause)),
  });
  runner.start();
  return { runner, hand, events };
}

test('keeps a slice that it took while it checked the jobs', async () => {
  const committed: string[] = [];
  const [checking, reading, answering] = [1, 2, 3].map(() => new AbortController()) as [
    AbortController,
    AbortController,
    AbortController,
  ];
  const { runner, hand } = runnerOver(
    {
      async states(ids) {
        checking.abort();
        await passed(reading);
        return new Map(ids.map((id): [string, JobStatus] => [id, 'running']));
      },
      async commit(id) {
        committed.push(id);
        return 'finished';
      },
    },
    async (...args) => {
      await passed(answering);
      return picky(...args);
    },
  );
  const first = hand('job_1', never);
  await turn();
  runner.wake();
  await passed(checking);
  const second = hand('job_2', never);
  await turn();
  reading.abort();
  await turn();
  answering.abort();
  await Promise.all([first, second]);
  assert.deepEqual(committed.toSorted(), ['job_1', 'job_2']);
  await runner.stop();
});

test('a stopped slice writes what has ended before it is left to others', async () => {
  const groups: number[][] = [];
  const [writing, written] = [new AbortController(), new AbortController()];
  const [asked, answering] = [new AbortController(), new AbortController()];
  const { runner, hand } = runnerOver(
    {
      resume: async (id) => ({
        ...{ job: jobAtWork(id, 3), pending: async () => [0, 1, 2] },
        input: (index) => JSON.stringify({ query: `q${index}` }),
      }),
      async commit(_id, finished) {
        writing.abort();
        await passed(written);
        groups.push(finished.map(({ index }) => index));
        return 'kept';
      },
    },
    async (endpoint, params, caller, signal) => {
      if (params.query === 'q1') asked.abort();
      if (params.query === 'q1') await passed(answering);
      if (params.query === 'q2') await once(signal, 'abort');
      signal.throwIfAborted();
      return picky(endpoint, params, caller, signal);
    },
  );
  const stopping = new AbortController();
  const stoppedWork = assert.rejects(hand('job_1', stopping.signal), /stopped/);
  await passed(writing);
  await passed(asked);
  answering.abort();
  // The second input ends while the line of the first is being written; the third is aborted.
  await turn();
  stopping.abort(new Error('stopped'));
  written.abort();
  await stoppedWork;
  assert.deepEqual(groups, [[0], [1]]);
  await runner.stop();
});

test('does not mistake a job whose last line is being written for one that ended elsewhere', async () => {
  const [writing, written] = [new AbortController(), new AbortController()];
  // Readers see the commit before it is on the disk.
  const { runner, hand, events } = runnerOver({
    async commit() {
      writing.abort();
      await passed(written);
      return 'finished';
    },
  });
  const working = hand('job_1', never);
  await passed(writing);
  await runner.checkJobs();
  await runner.checkJobs();
  written.abort();
  await working;
  assert.deepEqual(events, ['finished job_1']);
  await runner.stop();
});

test('holds no listener for a finished slice', async () => {
  const { runner, hand } = runnerOver({});
  const { signal } = new AbortController();
  const listenerCount = () => getEventListeners(signal, 'abort').length;
  const [first, second] = [hand('job_1', signal), hand('job_2', signal)];
  await turn();
  assert.ok(listenerCount() <= 2);
  await Promise.all([first, second]);
  assert.equal(listenerCount(), 0);
  await runner.stop();
});

test('leaves a job whose account was deleted without reporting a fault', async () => {
  const { runner, hand, events } = runnerOver({
    resume: async (id) => ({
      ...{ job: jobAtWork(id), pending: async () => [0] },
      input: () => Promise.reject(new Error('The job is gone.')),
    }),
    commit: async () => 'gone',
  });
  await hand('job_1', never);
  await runner.checkJobs();
  assert.deepEqual(events, ['left job_1']);
  await runner.stop();
});
