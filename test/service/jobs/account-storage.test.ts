import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { refusal } from '../../ledger/ledger-port.js';
import { jobKinds, type TimedJobs } from './database-harness.js';
import { awaitJob, type Customer, linesOf, makeJob, submit } from './harness.js';

const kib = 1024;

const submitBytes = (all: TimedJobs, customer: Customer, bytes: number) =>
  submit(all, customer, {}, [`{"query":"${'x'.repeat(bytes)}"}`]);

for (const { where, skip, open } of jobKinds) {
  describe(`the storage of accounts in ${where}`, { skip }, () => {
    test('holds the inputs of unfinished jobs and of schedules', async (t) => {
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

    test('holds a wrong input cut: 250 of 60 KB take less than 256 KB', async (t) => {
      const all = await open(t, { ask: () => Promise.reject(new ExtractError('unknown_parameter')) });
      const customer = await all.customer();
      const id = await makeJob(all, customer, Array(250).fill('x'.repeat(60 * kib)));
      await awaitJob(all, customer, id);
      const bytes = await all.jobs.storage.of(customer.account);
      assert.ok(bytes > 250 * 256 && bytes < 256 * kib, `${bytes}`);
      const [line] = await linesOf(all, customer, id);
      assert.deepEqual(line?.input, { cut: `{"query":"${'x'.repeat(246)}` });
    });

    test('refuses a job without room, and other accounts keep theirs', async (t) => {
      const all = await open(t, { start: false, accountBytes: 64 * kib });
      const [full, other] = [await all.customer(), await all.customer()];
      await submitBytes(all, full, 40 * kib);
      const before = await all.credits(full.account);
      await assert.rejects(submitBytes(all, full, 30 * kib), refusal('storage_full'));
      assert.equal(await all.credits(full.account), before);
      await submitBytes(all, full, kib);
      await submitBytes(all, other, 40 * kib);
    });

    test('accepts concurrent jobs as far as there is room for them', async (t) => {
      const all = await open(t, { start: false, accountBytes: 64 * kib });
      const customer = await all.customer();
      const { account } = customer;
      const before = await all.credits(account);
      const results = await Promise.allSettled(
        Array.from({ length: 6 }, () => submitBytes(all, customer, 25 * kib)),
      );
      const refused = results.filter((one) => one.status === 'rejected');
      assert.equal(refused.length, 4);
      for (const { reason } of refused) assert.ok(refusal('storage_full')(reason));
      assert.ok((await all.jobs.storage.of(account)) <= 64 * kib);
      assert.equal(before - (await all.credits(account)), 2 * 3);
    });
  });
}
