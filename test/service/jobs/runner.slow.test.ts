import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { StorageError } from '../../../lib/errors/storage-error.js';
import { casesOf } from '../../../lib/samples.js';
import { routeSource } from '../../../lib/web/routes.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { SliceStore } from '../../../src/service/jobs/runner/slice-store.js';
import { assertSound, pendingIds } from '../../ledger/books.js';
import { FakeClock } from '../../support/fake-clock.js';
import { fixturesOf } from '../../support/fixtures.js';
import { ChangingSite } from './changing-site.js';
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
  /** Waits until a query is asked, and answers it. */
  const settle = async (query: string, how: 'ok' | 'failed' = 'ok') => {
    await until(() => waiting.has(query));
    waiting.get(query)?.(how);
  };
  return { ask, started, waiting, settle };
}

describe('a job', () => {
  test('writes one line and one ledger row for each input, and refunds failures', async (t) => {
    const all = await jobsHarness(t, { ask: picky });
    const customer = await all.customer(1000);
    const before = await all.credits(customer.account);
    const hasFailed = (at: number) => at % 4 === 0;
    const queries = numbered(40).map((query, at) => (hasFailed(at) ? `bad${query}` : query));
    const id = await makeJob(all, customer, queries);
    const job = await awaitJob(all, customer, id);
    assert.partialDeepStrictEqual(job, {
      ...{ status: 'done', completed: 30, failed: 10, credits_reserved: 120, credits_refunded: 30 },
    });
    assert.equal(await all.credits(customer.account), before - 90);
    assert.partialDeepStrictEqual(
      await linesOf(all, customer, id),
      queries.map((query, at) => ({
        input: { query },
        ...(hasFailed(at)
          ? { error: { code: 'place_not_found', request_id: `${id}:${at}` } }
          : { data: { echo: { query } } }),
      })),
    );
    const { rows } = await all.ledger.usage(customer.account, { limit: 100, job: id });
    assert.equal(rows.length, 40);
    for (const row of rows) {
      assert.partialDeepStrictEqual(row, {
        ...{ api_key: { name: 'first' }, job_id: id },
        ...(hasFailed(Number(row.id.split(':')[1]))
          ? { status: 'failed', error_code: 'place_not_found', credits_charged: 0, credits_refunded: 3 }
          : { status: 'ok', error_code: null, credits_charged: 3, credits_refunded: 0 }),
      });
    }
    assert.equal(Date.parse(job.results_expire_at ?? '') - Date.parse(job.finished_at ?? ''), 7 * 86_400_000);
    assertSound(ledgerFile(all.home));
  });

  test('keeps results that end out of order', async (t) => {
    const { ask, settle } = heldInputs();
    const all = await jobsHarness(t, { ask });
    const customer = await all.customer();
    const id = await makeJob(all, customer, numbered(9));
    const find = () => all.jobs.store.find(customer.account, id);
    // Slots are few: each that ends makes room for the next.
    for (const [at, query] of numbered(9).entries()) {
      if (at === 0) continue;
      await settle(query, at === 5 ? 'failed' : 'ok');
      await until(async () => {
        const { completed, failed } = await find();
        return completed + failed === at;
      });
      assert.equal((await find()).credits_refunded, at >= 5 ? 3 : 0, 'refunded at once');
    }
    assert.deepEqual(await linesOf(all, customer, id), []);
    assert.equal(pendingIds(ledgerFile(all.home)).length, 1);
    await settle('q0');
    const { completed, failed, status } = await awaitJob(all, customer, id);
    assert.deepEqual([completed, failed, status], [8, 1, 'done']);
    const lineQueries = (await linesOf(all, customer, id)).map(({ input }) => input.query);
    assert.deepEqual(lineQueries, numbered(9));
  });

  test('continues in the next process, which repeats no ended input', async (t) => {
    const home = newHome(t);
    const first = heldInputs();
    const one = await jobsHarness(t, { home, ask: first.ask });
    const customer = await one.customer();
    const id = await makeJob(one, customer, numbered(9));
    for (const query of ['q0', 'q2', 'q3']) await first.settle(query);
    await until(async () => (await one.jobs.store.find(customer.account, id)).completed === 3);
    await one.close();
    const second = heldInputs();
    const two = await jobsHarness(t, { home, ask: second.ask });
    const rest = ['q1', 'q4', 'q5', 'q6', 'q7', 'q8'];
    for (const query of rest) await second.settle(query);
    const job = await awaitJob(two, customer, id);
    assert.deepEqual([job.completed, job.failed], [9, 0]);
    assert.deepEqual(second.started.toSorted(), rest);
    const lineData = (await linesOf(two, customer, id)).map(({ data }) => data);
    assert.deepEqual(
      lineData,
      numbered(9).map((query) => ({ echo: { query } })),
    );
    assertSound(ledgerFile(home));
  });

  test('of ten thousand inputs, or with one that hangs, delays no small job', async (t) => {
    const { ask, waiting, settle, started } = heldInputs();
    const all = await jobsHarness(t, {
      ask: (endpoint, params, caller, signal) =>
        String(params.query).startsWith('hang')
          ? ask(endpoint, params, caller, signal)
          : setImmediate().then(() => echo(endpoint, params, caller, signal)),
    });
    const [large, small] = [await all.customer(), await all.customer()];
    const long = await makeJob(all, large, ['hang0', 'hang1', ...numbered(4000)]);
    const completed = async () => (await all.jobs.store.find(large.account, long)).completed;
    await until(() => waiting.size === 2);
    await awaitJob(all, small, await makeJob(all, small, numbered(3)));
    assert.ok((await completed()) < 4000, `${await completed()} of the long job`);
    await until(async () => (await completed()) === 4000);
    assert.deepEqual(started, ['hang0', 'hang1']);
    await settle('hang0');
    await settle('hang1', 'failed');
    assert.equal((await awaitJob(all, large, long)).failed, 1);
  });

  test('waits while the platform refuses, and fails its inputs in the end', async (t) => {
    const clock = new FakeClock();
    let refusals = 1;
    const calls: number[] = [];
    const all = await jobsHarness(t, {
      clock,
      ask: async (...args) => {
        calls.push(clock.now());
        if (refusals-- > 0) throw new ExtractError('platform_blocked', 'no', { retryAfter: 60 });
        return echo(...args);
      },
    });
    const customer = await all.customer();
    const done = awaitJob(all, customer, await makeJob(all, customer, ['a']));
    await until(() => calls.length === 1);
    assert.equal((await clock.passing(done, 100_000)).completed, 1);
    const [first = 0, second = 0] = calls;
    assert.ok(second - first >= 60_000);
    refusals = Number.POSITIVE_INFINITY;
    const lost = await makeJob(all, customer, numbered(20));
    const job = await clock.passing(awaitJob(all, customer, lost), 1_000_000);
    assert.deepEqual([job.failed, job.credits_refunded], [20, 60]);
    assert.ok(calls.length < 60, `${calls.length} calls`);
  });

  test('whose input is refused alone delays no job of another account', async (t) => {
    const clock = new FakeClock();
    const all = await jobsHarness(t, {
      clock,
      ask: async (endpoint, params, ...rest) => {
        if (params.query === 'withheld') throw new ExtractError('platform_blocked');
        return echo(endpoint, params, ...rest);
      },
    });
    const [owner, ...others] = await Promise.all(Array.from({ length: 11 }, () => all.customer()));
    assert.ok(owner);
    const refused = await makeJob(all, owner, ['withheld']);
    const jobs = await Promise.all(others.map((other) => makeJob(all, other, numbered(3))));
    for (const [at, other] of others.entries())
      assert.equal((await awaitJob(all, other, jobs[at] ?? '')).completed, 3);
    assert.equal(clock.now(), new FakeClock().now());
    assert.equal((await all.jobs.store.find(owner.account, refused)).failed, 0);
    assert.equal((await clock.passing(awaitJob(all, owner, refused), 100_000)).failed, 1);
  });

  test('runs an input again whose memory cannot be read', async (t) => {
    const clock = new FakeClock();
    const broken = new StorageError('unreachable', 'The database did not answer.');
    const lookUp = t.mock.method(SliceStore.prototype, 'lookUp');
    lookUp.mock.mockImplementationOnce(() => Promise.reject(broken));
    const all = await jobsHarness(t, { clock, ask: new ChangingSite().ask });
    const customer = await all.customer();
    const order = { schedule: { every: '6h' }, lineOptions: { new: true } } as const;
    const id = await makeJob(all, customer, ['a'], order);
    assert.equal((await clock.passing(awaitJob(all, customer, id))).completed, 1);
    assert.deepEqual([lookUp.mock.callCount(), all.errors], [2, [broken]]);
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
    const services = { pages: async () => pages };
    const all = await jobsHarness(t, { endpoints: [endpoint], ask: undefined, services });
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
    const texts = inputs.map((input) => JSON.stringify(input));
    const id = await makeJob(all, customer, [], { endpoint: endpoint.path, inputs: texts });
    const job = await awaitJob(all, customer, id);
    const lines = await linesOf(all, customer, id);
    assert.deepEqual(
      lines.map(({ input, error }) => ({ input, code: error?.code })),
      inputs.map((input, at) => ({ input, code: at === 4 ? 'invalid_parameter' : undefined })),
    );
    for (const at of [0, 2]) assert.deepEqual(lines[at]?.data, lines[1]?.data);
    assert.partialDeepStrictEqual(job, {
      ...{ completed: 5, failed: 1, credits_reserved: 18, credits_refunded: 15 },
    });
    assert.equal(await all.credits(customer.account), before - 3);
    const { rows } = await all.ledger.usage(customer.account, { limit: 10, job: id });
    assert.deepEqual(
      rows.toSorted((a, b) => a.id.localeCompare(b.id)).map((row) => `${row.credits_charged} ${row.status}`),
      ['0 ok', '3 ok', '0 ok', '0 ok', '0 failed', '0 ok'],
    );
    assertSound(ledgerFile(all.home));
  });
});
