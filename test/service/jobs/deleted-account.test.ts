import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { refusal } from '../../ledger/ledger-port.js';
import { FakeClock } from '../../support/fake-clock.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { databaseHarness } from './database-harness.js';
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

const countRows = ({ home }: JobsHarness, ...tables: readonly string[]) =>
  inspect(path.join(home, 'ledger.db'), (db) =>
    tables.map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()),
  );

describe('the jobs of an account that is deleted', () => {
  test('leave no input, no result and no file, whether they have ended, run or wait', async (t) => {
    let calls = 0;
    const all = await jobsHarness(t, {
      // Answers the first six inputs; the others wait until they are aborted.
      ask(endpoint, params, caller, signal) {
        calls += 1;
        if (calls <= 6) return echo(endpoint, params, caller, signal);
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        );
      },
    });
    const { store } = all.jobs;
    const [customer, other] = [await all.customer(), await all.customer()];
    const done = await makeJob(all, customer, ['a', 'b'], { webhookUrl: 'https://127.0.0.1/' });
    await awaitJob(all, customer, done);
    const otherJob = await makeJob(all, other, ['c']);
    await awaitJob(all, other, otherJob);
    const running = await makeJob(all, customer, numbered(50));
    await until(async () => (await store.find(customer.account, running)).completed > 0);
    const traces = () => tracesOf(all).filter((name) => !name.startsWith(otherJob));
    assert.ok(traces().some((name) => name.startsWith(running)) && traces().length >= 2);

    await all.accounts.delete(customer.account);
    await all.jobs.forgetDeleted();
    assert.deepEqual(traces(), []);
    for (const id of [done, running]) {
      await assert.rejects(store.find(customer.account, id), refusal('job_not_found'));
    }
    assert.deepEqual(countRows(all, 'job_inputs', 'jobs'), [0, 1]);
    assert.equal((await store.find(other.account, otherJob)).status, 'done');
    assert.equal(await all.credits(customer.account), 0);
    // The server continues with other jobs, and writes nothing more of the deleted ones.
    const next = await makeJob(all, other, ['d']);
    await until(async () => (await store.find(other.account, next)).status === 'running');
    await all.close();
    const newTraces = traces().filter((name) => !name.startsWith(next));
    assert.deepEqual([newTraces, all.errors], [[], []]);
    assertSound(path.join(all.home, 'ledger.db'));
  });

  test('lose few inputs together with the account', async (t) => {
    const all = await jobsHarness(t, { start: false });
    const customer = await all.customer();
    await makeJob(all, customer, ['a', 'b']);
    await makeJob(all, customer, ['c', 'd'], { schedule: { every: '6h' } });
    await all.accounts.delete(customer.account);
    assert.deepEqual(countRows(all, 'job_inputs', 'schedule_inputs'), [0, 0]);
  });

  test('lose large inputs piece by piece, or with a sweep after a kill', async (t) => {
    const clock = new FakeClock(systemClock.now());
    const all = await jobsHarness(t, { start: false, clock });
    const queries = numbered(20).map((query) => query.padEnd(60_000));
    for (const isKilled of [false, true]) {
      const customer = await all.customer();
      await makeJob(all, customer, queries);
      await makeJob(all, customer, queries, { schedule: { every: '6h' } });
      await all.accounts.delete(customer.account);
      // The transaction that others wait for deletes none of them.
      assert.deepEqual(countRows(all, 'job_inputs', 'schedule_inputs'), [20, 20]);
      if (isKilled) {
        await clock.advance(2 * 3_600_000);
        await all.opened.jobStores.jobs.forgetStagedInputs();
      } else {
        const turns = t.mock.method(accountTurns, 'next');
        await all.jobs.forgetDeleted();
        assert.ok(turns.mock.callCount() >= 14, `${turns.mock.callCount()} pieces`);
        turns.mock.restore();
      }
      assert.deepEqual(countRows(all, 'job_inputs', 'schedule_inputs'), [0, 0]);
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
    assert.deepEqual(countRows(all, 'job_inputs', 'jobs'), [0, 0]);
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

for (const first of ['the job', 'the deletion']) {
  test(`an account deleted while its job is made leaves nothing in PostgreSQL, ${first} first`, {
    skip: skipWithoutPostgres,
  }, async (t) => {
    const database = await databaseHarness(t);
    const node = await database.node({ start: false });
    const customer = await node.customer();
    const { account } = customer;
    const make = () => makeJob(node, customer, numbered(3), { schedule: { every: '6h' } });
    const remove = () => node.opened.accounts.delete(account);
    const acts: readonly (() => Promise<unknown>)[] = first === 'the job' ? [make, remove] : [remove, make];
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const done: Promise<unknown>[] = [];
    const slow = await Postgres.open({ ...database.config, connections: 1 }, systemClock);
    await slow.transaction(async (queries) => {
      // Holds the balance, as a slow charge does.
      await queries.run('SELECT 1 FROM balances WHERE id = $1 FOR UPDATE', [account]);
      for (const act of acts) {
        done.push(act().catch((cause: unknown) => cause));
        await until(async () => (await database.rows(waiting)).length >= done.length, 20);
      }
    });
    await slow.close();
    const [one, other] = await Promise.all(done);
    if (first === 'the deletion') assert.ok(refusal('invalid_api_key')(other), String(other));
    else assert.equal(typeof one, 'string');
    for (const table of ['jobs', 'job_inputs', 'schedules', 'schedule_inputs', 'schedule_runs', 'users']) {
      assert.deepEqual(await database.rows(`SELECT 1 FROM ${table}`), [], table);
    }
    assert.equal(await node.credits(account), 0);
  });
}
