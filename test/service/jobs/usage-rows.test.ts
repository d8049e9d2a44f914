import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsagePage } from '../../../lib/ledger/usage.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { FakeClock } from '../../support/fake-clock.js';
import { awaitJob, jobsHarness, makeJob, numbered, picky } from './harness.js';

test('usage rows of a job are in the order of their inputs, with the time of each call', async (t) => {
  const begin = Date.UTC(2026, 5, 1, 12);
  const clock = new FakeClock(begin);
  const calledAt: number[] = [];
  // Calls end in another order than they begin, and some begin in the same millisecond.
  const ask: CallFunction = async (endpoint, params, caller, signal) => {
    const index = Number(caller.requestId.split(':')[1]);
    calledAt[index] = clock.now();
    if (index % 5 === 0) clock.set(clock.now() + 60_000);
    for (let turn = 0; turn < (index * 7) % 11; turn += 1) await new Promise(setImmediate);
    return picky(endpoint, params, caller, signal);
  };
  const all = await jobsHarness(t, { clock, ask });
  const customer = await all.customer();
  const queries = numbered(120).map((query, at) => (at % 9 === 0 ? `bad${query}` : query));
  const id = await makeJob(all, customer, queries);
  await awaitJob(all, customer, id);
  const { usage } = all.opened;

  async function readAll(query: { limit: number; job?: string }) {
    const rows: (readonly [id: string, at: string])[] = [];
    for (let before: string | null | undefined; before !== null; ) {
      const page: UsagePage = await usage.listCalls(customer.account, { ...query, before });
      rows.push(...page.rows.map((row) => [row.id, row.created_at] as const));
      before = page.next;
    }
    return rows;
  }
  const ofJob = await readAll({ limit: 7, job: id });
  assert.deepEqual(
    ofJob,
    calledAt.map((at, index) => [`${id}:${index}`, new Date(at).toISOString()]),
  );
  assert.ok(new Set(calledAt).size > 10 && new Set(calledAt).size < 120);
  // Among all calls they are in order of time, newest first.
  assert.deepEqual(await readAll({ limit: 11 }), ofJob.toReversed());
});
