import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { InputTexts } from '../../../src/service/jobs/job-limits.js';
import { parseJobRequest } from '../../../src/service/jobs/job-request.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { submitJob } from '../../../src/service/jobs/submit-job.js';
import { refusal } from '../../ledger/ledger-port.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
import {
  awaitJob,
  type Customer,
  type JobsHarness,
  type JobsHarnessOptions,
  jobsHarness,
  linesOf,
  makeJob,
} from './harness.js';

type Harness = Pick<JobsHarness, 'jobs' | 'customer' | 'credits'>;
type Options = Pick<JobsHarnessOptions, 'accountBytes' | 'ask' | 'start'>;

const kib = 1024;

/** Jobs whose inputs are answered by a call that fails as one that is wrong does. */
const refuseAll: CallFunction = async () => {
  throw new ExtractError('unknown_parameter');
};

/** What holds of the storage of accounts in a data directory and in a database. */
function accountStorageSuite(
  open: (t: TestContext, options: Options) => Promise<Harness & { readonly pauseMs?: number }>,
): void {
  test('an account has stored the inputs of its unfinished jobs and of its schedules', async (t) => {
    const all = await open(t, { start: false });
    const customer = await all.customer();
    const { storage } = all.jobs;
    assert.equal(await storage.of(customer.account), 0);
    await makeJob(all, customer, ['x'.repeat(10 * kib)]);
    const once = await storage.of(customer.account);
    assert.ok(once > 10 * kib && once < 16 * kib, `${once}`);
    // Its first job, and all others, read the inputs of the schedule.
    await makeJob(all, customer, ['x'.repeat(10 * kib)], { schedule: { every: '1h' } });
    const twice = await storage.of(customer.account);
    assert.ok(twice > 20 * kib && twice < 32 * kib, `${twice}`);
    assert.deepEqual(await storage.listLargest(1), [{ account: customer.account, bytes: twice }]);
  });

  test('a wrong input is stored cut: 250 of 60 KB take less than 256 KB', async (t) => {
    const all = await open(t, { ask: refuseAll });
    const customer = await all.customer();
    const id = await makeJob(all, customer, Array(250).fill('x'.repeat(60 * kib)));
    await awaitJob(all, customer, id);
    const bytes = await all.jobs.storage.of(customer.account);
    assert.ok(bytes > 250 * 256 && bytes < 256 * kib, `${bytes}`);
    const [line] = await linesOf(all, customer, id);
    assert.deepEqual(line?.input, { cut: `{"query":"${'x'.repeat(246)}` });
  });

  test('a job without room is refused, and other accounts keep theirs', async (t) => {
    const all = await open(t, { start: false, accountBytes: 64 * kib });
    const [full, other] = [await all.customer(), await all.customer()];
    const submit = async (customer: Customer, bytes: number) => {
      const fields = {
        endpoint: 'maps/harbours',
        inputs: new InputTexts([`{"query":"${'x'.repeat(bytes)}"}`]),
      };
      const order = await parseJobRequest(fields, all.jobs.endpoints, 'acct_1');
      const { account, key } = customer;
      return submitJob(all.jobs, { account, key, request: order, idempotencyKey: undefined }, () => '');
    };
    await submit(full, 40 * kib);
    const before = await all.credits(full.account);
    await assert.rejects(submit(full, 30 * kib), refusal('storage_full'));
    assert.equal(await all.credits(full.account), before);
    await submit(full, kib);
    await submit(other, 40 * kib);
  });

  test('concurrent jobs are accepted as far as there is room for them', async (t) => {
    const all = await open(t, { start: false, accountBytes: 64 * kib });
    const customer = await all.customer();
    const { account, key } = customer;
    const before = await all.credits(account);
    const submit = async () => {
      const inputs = new InputTexts([`{"query":"${'x'.repeat(25 * kib)}"}`]);
      const order = await parseJobRequest(
        { endpoint: 'maps/harbours', inputs },
        all.jobs.endpoints,
        'acct_1',
      );
      return submitJob(all.jobs, { account, key, request: order, idempotencyKey: undefined }, () => '');
    };
    const results = await Promise.allSettled(Array.from({ length: 6 }, submit));
    const refused = results.filter((one) => one.status === 'rejected');
    assert.equal(refused.length, 4);
    for (const { reason } of refused) assert.ok(refusal('storage_full')(reason));
    assert.ok((await all.jobs.storage.of(account)) <= 64 * kib);
    assert.equal(before - (await all.credits(account)), 2 * 3);
  });
}

describe('the storage of accounts in SQLite', () => accountStorageSuite(jobsHarness));

describe('the storage of accounts in PostgreSQL', { skip: skipWithoutPostgres }, () => {
  accountStorageSuite(async (t, options) => (await databaseHarness(t)).node(options));
});
