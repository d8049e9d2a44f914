import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { JobAtWork, JobStatus } from '../../../src/service/jobs/job.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { Runner } from '../../../src/service/jobs/runner/runner.js';
import type { LineStore } from '../../../src/service/jobs/runner/slice-store.js';
import type { TaskHandler } from '../../../src/service/jobs/runner/tasks.js';
import { picky } from './harness.js';

const jobAtWork = (id: string, total = 1): JobAtWork => ({
  ...{ id, account: 'acc_1', status: 'running', endpoint: 'maps/place', credits: 3, key: undefined },
  ...{ lineOptions: {}, schedule: null, total },
});

const never = new AbortController().signal;
const turn = () => new Promise(setImmediate);
const moment = () => Promise.withResolvers<void>();

/** A started runner whose slices the test hands out, over jobs of one input, as far as it does not say otherwise. */
function runnerOver(store: Partial<LineStore>, ask: CallFunction = picky) {
  let handle: TaskHandler = async () => undefined;
  const events: string[] = [];
  const runner = new Runner({
    tasks: {
      start: (handler) => {
        handle = handler;
      },
      wake: () => undefined,
      stop: async () => undefined,
    },
    ...{ ask, clock: systemClock, endpoints, gather: async () => undefined },
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
  return { runner, events, hand: (job: string, signal = never) => handle({ job, first: 0 }, signal) };
}

test('keeps a slice that it took while it checked the jobs', async () => {
  const committed: string[] = [];
  const [checking, reading, answering] = [moment(), moment(), moment()];
  const { runner, hand } = runnerOver(
    {
      async states(ids) {
        checking.resolve();
        await reading.promise;
        return new Map(ids.map((id): [string, JobStatus] => [id, 'running']));
      },
      async commit(id) {
        committed.push(id);
        return 'finished';
      },
    },
    (...args) => answering.promise.then(() => picky(...args)),
  );
  const first = hand('job_1');
  await turn();
  runner.wake();
  await checking.promise;
  const second = hand('job_2');
  await turn();
  reading.resolve();
  await turn();
  answering.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(committed.toSorted(), ['job_1', 'job_2']);
  await runner.stop();
});

test('a stopped slice writes what has ended before it is left to others', async () => {
  const groups: number[][] = [];
  const [writing, written, asked, answering] = [moment(), moment(), moment(), moment()];
  const { runner, hand } = runnerOver(
    {
      resume: async (id) => ({
        ...{ job: jobAtWork(id, 3), pending: async () => [0, 1, 2] },
        input: (index) => JSON.stringify({ query: `q${index}` }),
      }),
      async commit(_id, finished) {
        writing.resolve();
        await written.promise;
        groups.push(finished.map(({ index }) => index));
        return 'kept';
      },
    },
    async (endpoint, params, caller, signal) => {
      if (params.query === 'q1') asked.resolve();
      if (params.query === 'q1') await answering.promise;
      if (params.query === 'q2') await once(signal, 'abort');
      signal.throwIfAborted();
      return picky(endpoint, params, caller, signal);
    },
  );
  const stopping = new AbortController();
  const stoppedWork = assert.rejects(hand('job_1', stopping.signal), /stopped/);
  await Promise.all([writing.promise, asked.promise]);
  answering.resolve();
  // The second input ends while the line of the first is being written; the third is aborted.
  await turn();
  stopping.abort(new Error('stopped'));
  written.resolve();
  await stoppedWork;
  assert.deepEqual(groups, [[0], [1]]);
  await runner.stop();
});

test('does not mistake a job whose last line is being written for one that ended elsewhere', async () => {
  const [writing, written] = [moment(), moment()];
  // Readers see the commit before it is on the disk.
  const { runner, hand, events } = runnerOver({
    async commit() {
      writing.resolve();
      await written.promise;
      return 'finished';
    },
  });
  const working = hand('job_1');
  await writing.promise;
  await runner.checkJobs();
  await runner.checkJobs();
  written.resolve();
  await working;
  assert.deepEqual(events, ['finished job_1']);
  await runner.stop();
});

test('holds no listener for a finished slice', async () => {
  const { runner, hand } = runnerOver({});
  const { signal } = new AbortController();
  const listenerCount = () => getEventListeners(signal, 'abort').length;
  const slices = [hand('job_1', signal), hand('job_2', signal)];
  await turn();
  assert.ok(listenerCount() <= 2);
  await Promise.all(slices);
  assert.equal(listenerCount(), 0);
  await runner.stop();
});

test('leaves a job whose account was deleted without reporting a fault', async () => {
  const input = () => Promise.reject(new Error('The job is gone.'));
  const { runner, hand, events } = runnerOver({
    resume: async (id) => ({ job: jobAtWork(id), pending: async () => [0], input }),
    commit: async () => 'gone',
  });
  await hand('job_1');
  await runner.checkJobs();
  assert.deepEqual(events, ['left job_1']);
  await runner.stop();
});

for (const state of ['cancelled', undefined] as const) {
  test(`aborts the calls of a job that was ${state ?? 'deleted'} elsewhere`, async () => {
    const asked = moment();
    const { runner, hand } = runnerOver(
      {
        states: async () => new Map(state === undefined ? [] : [['job_1', state]]),
        commit: async () => (state === undefined ? 'gone' : 'cancelled'),
      },
      async (_endpoint, _params, _caller, signal) => {
        asked.resolve();
        await once(signal, 'abort');
        throw signal.reason;
      },
    );
    const working = hand('job_1');
    await asked.promise;
    await runner.checkJobs();
    await working;
    await runner.stop();
  });
}

test('gives up a slice whose task was stopped while its job was read', async () => {
  const [reading, read] = [moment(), moment()];
  const { runner, hand } = runnerOver({
    async resume(id) {
      reading.resolve();
      await read.promise;
      return { job: jobAtWork(id), pending: async () => [0], input: () => '{"query":"q"}' };
    },
  });
  const stopping = new AbortController();
  const ending = hand('job_1', stopping.signal).catch((cause: unknown) => String(cause));
  await reading.promise;
  stopping.abort(new Error('stopped'));
  read.resolve();
  const ended = await Promise.race([ending, turn()]);
  await runner.stop();
  assert.equal(ended, 'Error: stopped');
});

test('waits, before it stops, for the calls of a deleted job', async () => {
  const [asked, answering] = [moment(), moment()];
  const { runner, hand } = runnerOver({ commit: async () => 'gone' }, async (...args) => {
    asked.resolve();
    await answering.promise;
    return picky(...args);
  });
  const working = hand('job_1');
  await asked.promise;
  await runner.checkJobs();
  await working;
  let isStopped = false;
  const stopping = runner.stop().then(() => {
    isStopped = true;
  });
  await turn();
  assert.equal(isStopped, false);
  answering.resolve();
  await stopping;
});
