import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import type { CallFunction } from '../../../src/service/jobs/runner/run-input.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { awaitJob, echo, type JobsHarness, jobsHarness, makeJob, numbered, until } from './harness.js';

/** Jobs that have lines of results, and files made of them. */
const tracesOf = ({ home }: JobsHarness): string[] => {
  const folder = path.join(home, 'jobs');
  const rows = inspect(path.join(home, 'results.db'), (db) =>
    db.prepare<[], string>('SELECT DISTINCT job FROM job_results').pluck().all(),
  );
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return [...rows, ...files.filter((name) => name.startsWith('job_'))];
};
const bytesIn = ({ home }: JobsHarness, table: string) =>
  inspect(path.join(home, 'ledger.db'), (db) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());

/** Answers the first `count` inputs; the others wait until they are aborted. */
function firstAlone(count: number): CallFunction {
  let calls = 0;
  return (endpoint, params, caller, signal) => {
    calls += 1;
    if (calls <= count) return echo(endpoint, params, caller, signal);
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
    );
  };
}

describe('the jobs of an account that is deleted', () => {
  test('leave no input, no result and no file, whether they have ended, run or wait', async (t) => {
    const all = await jobsHarness(t, { ask: firstAlone(6) });
    const [customer, other] = [await all.customer(), await all.customer()];
    const webhook = { webhookUrl: 'https://127.0.0.1/' };
    const done = await makeJob(all, customer, ['a', 'b'], webhook);
    await awaitJob(all, customer, done);
    const otherJob = await makeJob(all, other, ['c']);
    await awaitJob(all, other, otherJob);
    const running = await makeJob(all, customer, numbered(50));
    await until(async () => (await all.jobs.store.find(customer.account, running)).completed > 0);
    const before = tracesOf(all).filter((name) => !name.startsWith(otherJob));
    assert.ok(before.some((name) => name.startsWith(running)) && before.length >= 2);

    await all.accounts.delete(customer.account);
    await all.jobs.forgetDeleted();
    const traces = tracesOf(all).filter((name) => !name.startsWith(otherJob));
    assert.deepEqual(traces, []);
    for (const id of [done, running]) {
      await assert.rejects(all.jobs.store.find(customer.account, id), refusal('job_not_found'));
    }
    assert.deepEqual([bytesIn(all, 'job_inputs'), bytesIn(all, 'jobs')], [0, 1]);
    assert.equal((await all.jobs.store.find(other.account, otherJob)).status, 'done');
    assert.equal(await all.credits(customer.account), 0);
    // The server continues with other jobs, and writes nothing more of the deleted ones.
    const next = await makeJob(all, other, ['d']);
    await until(async () => (await all.jobs.store.find(other.account, next)).status === 'running');
    await all.close();
    const newTraces = tracesOf(all).filter((name) => !name.startsWith(otherJob) && !name.startsWith(next));
    assert.deepEqual(newTraces, []);
    assert.deepEqual(all.errors, []);
    assertSound(path.join(all.home, 'ledger.db'));
  });

  test('lose few inputs together with the account', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const customer = await all.customer();
    await makeJob(all, customer, ['a', 'b']);
    await makeJob(all, customer, ['c', 'd'], { schedule: { every: '6h' } });
    await all.accounts.delete(customer.account);
    assert.deepEqual([bytesIn(all, 'job_inputs'), bytesIn(all, 'schedule_inputs')], [0, 0]);
  });

  test('lose large inputs piece by piece, or with a sweep after a kill', async (t) => {
    const clock = new FakeClock(systemClock.now());
    const all = await jobsHarness(t, { start: false, clock });
    const queries = numbered(20).map((query) => query.padEnd(60_000));
    const bytesLeft = () => [bytesIn(all, 'job_inputs'), bytesIn(all, 'schedule_inputs')];
    for (const isKilled of [false, true]) {
      const customer = await all.customer();
      await makeJob(all, customer, queries);
      await makeJob(all, customer, queries, { schedule: { every: '6h' } });
      await all.accounts.delete(customer.account);
      // The transaction that others wait for deletes none of them.
      assert.deepEqual(bytesLeft(), [20, 20]);
      if (isKilled) {
        await clock.advance(2 * 3_600_000);
        await all.opened.jobStores.jobs.forgetStagedInputs();
      } else {
        const turns = t.mock.method(accountTurns, 'next');
        await all.jobs.forgetDeleted();
        assert.ok(turns.mock.callCount() >= 14, `${turns.mock.callCount()} pieces`);
        turns.mock.restore();
      }
      assert.deepEqual(bytesLeft(), [0, 0]);
    }
  });

  test('cannot be made after the deletion with refunded credits', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const customer = await all.customer();
    const charge = { id: 'req_1', account: customer.account, endpoint: 'maps/place', credits: 6 };
    await all.ledger.charge({ ...charge, needsPack: false, at: all.clock.now() });
    await all.accounts.delete(customer.account);
    await all.ledger.settle('req_1', { status: 'failed', code: null });
    assert.equal(await all.credits(customer.account), 6);
    await assert.rejects(makeJob(all, customer, ['a', 'b']), refusal('invalid_api_key'));
    assert.deepEqual([bytesIn(all, 'job_inputs'), bytesIn(all, 'jobs')], [0, 0]);
  });

  test('are swept at the next start after a kill', async (t) => {
    const all = await jobsHarness(t);
    const customer = await all.customer();
    await awaitJob(all, customer, await makeJob(all, customer, ['a']));
    await all.accounts.delete(customer.account);
    assert.ok(tracesOf(all).length > 0);
    await all.close();
    await all.ledger.close();
    const later = await jobsHarness(t, { home: all.home });
    await until(() => tracesOf(later).length === 0);
  });
});
