import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { StorageError } from '../../../lib/errors/storage-error.js';
import type { JobAtWork } from '../../../src/service/jobs/job.js';
import { type InputRun, Lanes } from '../../../src/service/jobs/runner/lanes.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { FakeClock } from '../../support/fake-clock.js';
import { picky, rows } from './harness.js';
import { ChangingSite } from './schedule-news-port.js';

/** A job of an account: its inputs, begun one by one, and how many have ended. */
function jobOf(
  account: string,
  queries: readonly string[],
  more: Partial<JobAtWork> = {},
): InputRun & { readonly ended: string[] } {
  let next = 0;
  let running = 0;
  const ended: string[] = [];
  const job: JobAtWork = {
    ...{ id: `job_${account}`, account, status: 'running', endpoint: 'maps/place', credits: 3 },
    ...{
      key: undefined,
      lineOptions: {},
      schedule: null,
      total: queries.length,
      extent: { lines: 0, bytes: 0, lateBytes: 0 },
    },
    ...more,
  };
  return {
    ...{ account, job, ended },
    get running() {
      return running;
    },
    get ready() {
      return next < queries.length;
    },
    async take() {
      const index = next;
      next += 1;
      running += 1;
      const { signal } = new AbortController();
      return { index, input: JSON.stringify({ query: queries[index] }), signal };
    },
    rows: {
      add({ error }) {
        ended.push(error === null ? 'ok' : 'failed');
      },
      end: async () => undefined,
    },
    end() {
      running -= 1;
    },
    putBack(index) {
      running -= 1;
      next = index;
    },
  };
}

const withheld: CallFunction = async (endpoint, params, ...rest) => {
  if (params.query === 'withheld') throw new ExtractError('platform_blocked');
  return picky(endpoint, params, ...rest);
};

test('an input that is refused alone delays no job of another account', async () => {
  const clock = new FakeClock();
  const stopping = new AbortController();
  const lanes = new Lanes({
    ...{ clock, docsBase: 'https://docs.example', endpoints, ask: withheld },
    ...{ slots: () => 4, cooldownMs: 60_000, stopping: stopping.signal },
    store: { lookUp: () => assert.fail('No schedule made it.') },
    onError: (_, cause) => assert.fail(String(cause)),
  });
  const refused = jobOf('one', ['withheld']);
  const others = Array.from({ length: 10 }, (_, at) => jobOf(`good${at}`, ['a cafe', 'a bakery', 'a quay']));
  for (const run of [refused, ...others]) lanes.add(run);
  lanes.dispatch();
  while (others.some(({ ended }) => ended.length < 3)) await nextTurn();
  assert.equal(clock.now(), Date.parse('2026-01-01T00:00:00Z'));
  assert.deepEqual(refused.ended, []);
  assert.ok(others.every(({ ended }) => ended.every((status) => status === 'ok')));
  while (refused.ended.length === 0) {
    await nextTurn();
    if (clock.sleeping > 0) await clock.advance(60_000);
  }
  assert.deepEqual(refused.ended, ['failed']);
  await lanes.quiet();
});

test('an input whose memory cannot be read is run again', async () => {
  const broken = new StorageError('unreachable', 'The database did not answer.');
  const errors: unknown[] = [];
  const clock = new FakeClock();
  let tries = 0;
  const lanes = new Lanes({
    ...{ clock, docsBase: 'https://docs.example', endpoints: rows, ask: new ChangingSite().ask },
    ...{ slots: () => 4, cooldownMs: 60_000, stopping: new AbortController().signal },
    store: {
      async lookUp(_, observation) {
        tries += 1;
        if (tries === 1) throw broken;
        return { state: { subject: null, objects: new Map(), appearances: new Map() }, observation };
      },
    },
    onError: (_, cause) => errors.push(cause),
  });
  const run = jobOf('one', ['a cafe'], {
    ...{ endpoint: 'maps/harbours', lineOptions: { new: true }, schedule: 'sched_1' },
  });
  lanes.add(run);
  lanes.dispatch();
  while (run.ended.length === 0) {
    await clock.advance(1000);
    await nextTurn();
  }
  assert.deepEqual([tries, run.ended], [2, ['ok']]);
  assert.equal(errors[0], broken);
});
