import assert from 'node:assert/strict';
import { test } from 'node:test';
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

  const seen: (readonly [string, string])[] = [];
  let before: string | undefined;
  do {
    const page = await usage.listCalls(customer.account, { limit: 7, job: id, before });
    for (const row of page.rows) seen.push([row.id, row.created_at]);
    before = page.next ?? undefined;
  } while (before !== undefined);
  assert.deepEqual(
    seen,
    calledAt.map((at, index) => [`${id}:${index}`, new Date(at).toISOString()]),
  );
  assert.ok(new Set(calledAt).size > 10 && new Set(calledAt).size < 120);

  // Among all calls they are in order of time, newest first.
  const everything: string[] = [];
  before = undefined;
  do {
    const page: Awaited<ReturnType<typeof usage.listCalls>> = await usage.listCalls(customer.account, {
      limit: 11,
      before,
    });
    everything.push(...page.rows.map((row) => row.id));
    before = page.next ?? undefined;
  } while (before !== undefined);
  assert.deepEqual(everything, seen.map(([row]) => row).reverse());
});
