import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { assertSound, pendingIds } from '../../ledger/books.js';
import { FakeClock } from '../../support/fake-clock.js';
import { fixturesOf } from '../../support/fixtures.js';
import { awaitJob, echo, jobsHarness, linesOf, makeJob, newHome, numbered, picky, until } from './harness.js';

const ledgerFile = (home: string) => path.join(home, 'ledger.db');

/** Answers each query when the test says so. */
function heldInputs() {
  const waiting = new Map<string, (how: 'ok' | 'failed') => void>();
  const started: string[] = [];
  const ask: CallFunction = (endpoint, params, caller, signal) =>
    new Promise((resolve, reject) => {
      const query = String(params.query);
      started.push(query);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      waiting.set(query, (how) => {
        waiting.delete(query);
        if (how === 'ok') resolve(echo(endpoint, params, caller, signal));
        else reject(new ExtractError('place_not_found'));
      });
    });
  const settle = (query: string, how: 'ok' | 'failed' = 'ok') => waiting.get(query)?.(how);
  return { ask, begun: started, waiting, settle };
}

describe('a job', () => {
  test('writes one line and one ledger row for each input, and refunds failures', async (t) => {
    const all = await jobsHarness(t, { ask: picky });
    const customer = await all.customer(1000);
    const before = await all.credits(customer.account);
    const queries = numbered(40).map((query, at) => (at % 4 === 0 ? `bad${query}` : query));
    const id = await makeJob(all, customer, queries);
    const job = await awaitJob(all, customer, id);
    assert.equal(job.status, 'done');
    assert.deepEqual([job.completed, job.failed], [30, 10]);
    assert.deepEqual([job.credits_reserved, job.credits_refunded], [120, 30]);
    assert.equal(await all.credits(customer.account), before - 90);
    const lines = await linesOf(all, customer, id);
    const lineQueries = lines.map(({ input }) => input.query);
    assert.deepEqual(lineQueries, queries);
    for (const [at, { data, error }] of lines.entries()) {
      if (at % 4 !== 0) assert.deepEqual(data, { echo: { query: queries[at] } });
      else assert.deepEqual([error?.code, error?.request_id], ['place_not_found', `${id}:${at}`]);
    }
    const { rows } = await all.ledger.usage(customer.account, { limit: 100, job: id });
    assert.equal(rows.length, 40);
    for (const row of rows) {
      const at = Number(row.id.split(':')[1]);
      const failed = at % 4 === 0;
      assert.deepEqual(
        [
          row.status,
          row.error_code,
          row.credits_charged,
          row.credits_refunded,
          row.api_key?.name,
          row.job_id,
        ],
        failed ? ['failed', 'place_not_found', 0, 3, 'first', id] : ['ok', null, 3, 0, 'first', id],
      );
    }
    assert.equal(Date.parse(job.results_expire_at ?? '') - Date.parse(job.finished_at ?? ''), 7 * 86_400_000);
    assertSound(ledgerFile(all.home));
  });

  test('keeps results that end out of order', async (t) => {
    const { ask, waiting, settle } = heldInputs();
    const all = await jobsHarness(t, { ask });
    const customer = await all.customer();
    const id = await makeJob(all, customer, numbered(9));
    // Slots are few: each that ends makes room for the next.
    for (const query of ['q1', 'q2', 'q3', 'q4', 'q5', 'q6', 'q7', 'q8']) {
      await until(() => waiting.has(query));
      settle(query, query === 'q5' ? 'failed' : 'ok');
      await until(async () => {
        const { completed, failed } = await all.jobs.store.find(customer.account, id);
        return completed + failed === Number(query.slice(1));
      });
      const job = await all.jobs.store.find(customer.account, id);
      assert.equal(job.credits_refunded, query >= 'q5' ? 3 : 0, 'refunded at once');
    }
    assert.deepEqual(await linesOf(all, customer, id), []);
    assert.equal(pendingIds(ledgerFile(all.home)).length, 1);
    settle('q0');
    const job = await awaitJob(all, customer, id);
    assert.deepEqual([job.completed, job.failed, job.status], [8, 1, 'done']);
    const lineQueries = (await linesOf(all, customer, id)).map(({ input }) => input.query);
    assert.deepEqual(lineQueries, numbered(9));
  });

  test('continues in the next process, which repeats no ended input', async (t) => {
    const home = newHome(t);
    const first = heldInputs();
    const one = await jobsHarness(t, { home, ask: first.ask });
    const customer = await one.customer();
    const id = await makeJob(one, customer, numbered(9));
    for (const query of ['q0', 'q2', 'q3']) {
      await until(() => first.waiting.has(query));
      first.settle(query);
    }
    await until(async () => (await one.jobs.store.find(customer.account, id)).completed === 3);
    await one.close();
    const second = heldInputs();
    const two = await jobsHarness(t, { home, ask: second.ask });
    for (const query of ['q1', 'q4', 'q5', 'q6', 'q7', 'q8']) {
      await until(() => second.waiting.has(query));
      second.settle(query);
    }
    const job = await awaitJob(two, customer, id);
    assert.deepEqual([job.completed, job.failed], [9, 0]);
    assert.deepEqual(second.begun.toSorted(), ['q1', 'q4', 'q5', 'q6', 'q7', 'q8']);
    assert.deepEqual(
      (await linesOf(two, customer, id)).map(({ data }) => data),
      numbered(9).map((query) => ({ echo: { query } })),
    );
    assertSound(ledgerFile(home));
  });

  test('of ten thousand inputs, or with one that hangs, delays no small job', async (t) => {
    const { ask, waiting, settle, begun } = heldInputs();
    const all = await jobsHarness(t, {
      ask: (endpoint, params, caller, signal) =>
        String(params.query).startsWith('hang')
          ? ask(endpoint, params, caller, signal)
          : setImmediate().then(() => echo(endpoint, params, caller, signal)),
    });
    const [large, small] = [await all.customer(), await all.customer()];
    const long = await makeJob(all, large, ['hang0', 'hang1', ...numbered(4000)]);
    await until(() => waiting.size === 2);
    const short = await makeJob(all, small, numbered(3));
    await awaitJob(all, small, short);
    const { completed } = await all.jobs.store.find(large.account, long);
    assert.ok(completed < 4000, `${completed} of the long job`);
    await until(async () => (await all.jobs.store.find(large.account, long)).completed === 4000);
    assert.deepEqual(begun, ['hang0', 'hang1']);
    settle('hang0');
    settle('hang1', 'failed');
    assert.deepEqual((await awaitJob(all, large, long)).failed, 1);
  });

  test('waits while the platform refuses, and fails its inputs in the end', async (t) => {
    const clock = new FakeClock();
    let refusals = 0;
    const calls: string[] = [];
    const all = await jobsHarness(t, {
      clock,
      ask: async (endpoint, params, caller, signal) => {
        calls.push(`${params.query} ${clock.now()}`);
        if (refusals > 0) {
          refusals -= 1;
          throw new ExtractError('platform_blocked', 'no', { retryAfter: 60 });
        }
        return echo(endpoint, params, caller, signal);
      },
    });
    const customer = await all.customer();
    refusals = 1;
    const id = await makeJob(all, customer, ['a']);
    const done = awaitJob(all, customer, id);
    await until(() => calls.length === 1);
    assert.equal((await clock.passing(done, 100_000)).completed, 1);
    const [first = '', second = ''] = calls.map((one) => one.split(' ')[1]);
    assert.ok(Number(second) - Number(first) >= 60_000);
    refusals = Number.POSITIVE_INFINITY;
    const lost = await makeJob(all, customer, numbered(20));
    const job = await clock.passing(awaitJob(all, customer, lost), 1_000_000);
    assert.deepEqual([job.failed, job.credits_refunded], [20, 60]);
    assert.ok(calls.length < 60, `${calls.length} calls`);
  });

  test('waits until its folder can be created', async (t) => {
    const clock = new FakeClock();
    const home = newHome(t);
    writeFileSync(path.join(home, 'jobs'), 'no folder');
    const all = await jobsHarness(t, { clock, home });
    const customer = await all.customer();
    const id = await makeJob(all, customer, ['a']);
    await until(() => all.errors.length === 1);
    all.jobs.wake();
    await clock.advance(4999);
    assert.equal((await all.jobs.store.find(customer.account, id)).status, 'queued');
    rmSync(path.join(home, 'jobs'));
    await clock.advance(1);
    assert.equal((await awaitJob(all, customer, id)).completed, 1);
    assert.equal(all.errors.length, 1);
  });

  test('gives requested samples for nothing', async (t) => {
    const endpoint = endpoints.find(({ path: one }) => one === 'shortvideo/profile');
    const [sample] = endpoint === undefined ? [] : await casesOf(endpoint);
    assert.ok(endpoint && sample);
    const pages = routeSource(fixturesOf(endpoint), sample.pages);
    const all = await jobsHarness(t, {
      endpoints: [endpoint],
      ask: undefined,
      services: { pages: async () => pages },
    });
    const customer = await all.customer();
    const before = await all.credits(customer.account);
    const inputs = [
      { ...sample.params, demo: true },
      sample.params,
      { ...sample.params, demo: 'true' },
      { username: 'nobody.of.the.samples', demo: true },
      { ...sample.params, demo: 'yes' },
      { ...sample.params, fresh: true, demo: true },
    ];
    const id = await makeJob(all, customer, [], {
      endpoint: endpoint.path,
      inputs: inputs.map((input) => JSON.stringify(input)),
    });
    const job = await awaitJob(all, customer, id);
    const lines = await linesOf(all, customer, id);
    const lineInputs = lines.map(({ input }) => input);
    assert.deepEqual(lineInputs, inputs);
    const codes = lines.map(({ error }) => error?.code);
    assert.deepEqual(codes, [undefined, undefined, undefined, undefined, 'invalid_parameter', undefined]);
    for (const at of [0, 2]) assert.deepEqual(lines[at]?.data, lines[1]?.data);
    assert.deepEqual([job.completed, job.failed], [5, 1]);
    assert.deepEqual([job.credits_reserved, job.credits_refunded], [18, 15]);
    assert.equal(await all.credits(customer.account), before - 3);
    const { rows } = await all.ledger.usage(customer.account, { limit: 10, job: id });
    const rowsByIndex = new Map(rows.map((row) => [Number(row.id.split(':')[1]), row]));
    for (const [index, { demo }] of inputs.entries()) {
      const row = rowsByIndex.get(index);
      const cost = demo === undefined ? [3, 0] : [0, 3];
      assert.deepEqual([row?.credits_charged, row?.credits_refunded], cost, String(index));
      assert.equal(row?.status, demo === 'yes' ? 'failed' : 'ok');
    }
    assertSound(ledgerFile(all.home));
  });
});
