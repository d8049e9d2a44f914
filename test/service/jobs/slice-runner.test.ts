import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { endpoints } from '../../../lib/endpoints.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { JobAtWork, JobStatus } from '../../../src/service/jobs/job.js';
import type { Engine, Task } from '../../../src/service/jobs/postgres/engine.js';
import { SliceRunner } from '../../../src/service/jobs/postgres/slice-runner.js';
import type { SliceStore } from '../../../src/service/jobs/postgres/slice-store.js';
import { picky } from './harness.js';

test('a slice that is taken up while jobs are looked at is not given up', async () => {
  const handlers: ((task: Task) => Promise<void>)[] = [];
  const engine: Pick<Engine, 'work' | 'wake'> = {
    work: (_queue, _options, handle) => void handlers.push(handle),
    wake: () => undefined,
  };
  const job = (id: string): JobAtWork => ({
    ...{
      id,
      account: 'acc_1',
      status: 'running',
      endpoint: 'maps/place',
      credits: 3,
      key: undefined,
      lineOptions: {},
    },
    ...{ total: 1, extent: { lines: 0, bytes: 0, lateBytes: 0 } },
  });
  const committed: string[] = [];
  const looked = new AbortController();
  const [reading, answering] = [new AbortController(), new AbortController()];
  const store: Pick<SliceStore, 'takeUp' | 'states' | 'commit' | 'begin' | 'resend'> = {
    takeUp: async (id) => ({ job: job(id), inputs: new Map([[0, '{"query":"a cafe"}']]) }),
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
    resend: async () => 0,
  };
  const runner = new SliceRunner({
    ...{ engine: engine as Engine, store: store as SliceStore, clock: systemClock, endpoints },
    ...{ docsBase: 'https://docs.example', slots: () => 4, cooldownMs: 0 },
    onFinished: () => undefined,
    onLeft: () => undefined,
    onError: (_job, cause) => assert.fail(String(cause)),
    async ask(...given) {
      if (!answering.signal.aborted) await once(answering.signal, 'abort');
      return picky(...given);
    },
  });
  runner.start();
  const work = (id: string) =>
    handlers[0]?.({ id, data: { job: id, first: 0 }, signal: new AbortController().signal });
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
