import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { FakeClock } from '../../support/fake-clock.js';
import {
  awaitJob,
  type Customer,
  type JobsHarness,
  type JobsHarnessOptions,
  jobsHarness,
  makeJob,
  numbered,
  until,
} from './harness.js';

const hour = 3_600_000;
/** What the scheduler waits, at most, after it has looked. */
const pollInterval = 30_000;

/** Jobs on a fake clock, for a customer with a six-hour schedule. */
async function scheduled(t: TestContext, options: JobsHarnessOptions = {}, credits = 100_000) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const all = await jobsHarness(t, { clock, ...options });
  const customer = await all.customer(credits);
  const schedule = { every: '6h' };
  await makeJob(all, customer, numbered(100), { schedule });
  const [{ id = '' } = {}] = (await all.jobs.schedules.list(customer.account, 1, undefined)).schedules;
  return { clock, all, customer, id };
}

async function jobsOf({ jobs }: Pick<JobsHarness, 'jobs'>, { account }: Customer): Promise<number> {
  return (await jobs.store.list(account, 100, undefined)).jobs.length;
}

/** Lets time pass, and what is due be done. */
async function pass(clock: FakeClock, { jobs }: Pick<JobsHarness, 'jobs'>, ms: number) {
  clock.set(clock.now() + ms);
  jobs.wake();
  await until(async () => (await jobs.schedules.listDue()).length === 0);
}

describe('the scheduler', () => {
  test('makes a job at each time of its timetable', async (t) => {
    const { clock, all, customer, id } = await scheduled(t);
    assert.equal(await jobsOf(all, customer), 1);
    await pass(clock, all, 6 * hour);
    assert.equal(await jobsOf(all, customer), 2);
    const { last_run } = await all.jobs.schedules.find(customer.account, id);
    const job = await awaitJob(all, customer, last_run.job ?? '');
    assert.deepEqual([job.status, job.completed, job.schedule], ['done', 100, id]);
    await pass(clock, all, 6 * hour);
    assert.equal(await jobsOf(all, customer), 3);
    assert.deepEqual(all.errors, []);
  });

  test('stores the inputs of a schedule once, until its last job has ended', async (t) => {
    const { clock, all, customer, id } = await scheduled(t, { start: false });
    const { db } = all.opened.database;
    const rows = (table: string) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
    all.jobs.start();
    await pass(clock, all, 6 * hour);
    assert.deepEqual([rows('job_inputs'), rows('schedule_inputs')], [0, 100]);
    await all.jobs.schedules.end(customer.account, id);
    for (const { id: job } of (await all.jobs.store.list(customer.account, 10, undefined)).jobs) {
      assert.equal((await awaitJob(all, customer, job)).completed, 100);
    }
    await until(async () => rows('schedule_inputs') === 0);
  });

  test('makes no job for a revoked key, and records why', async (t) => {
    let fault: ErrorCode | null = 'revoked_api_key';
    const { clock, all, customer, id } = await scheduled(t, {
      readKeyState: async () => ({ fault, monthlyCredits: null }),
    });
    await pass(clock, all, 6 * hour);
    const { last_run, status } = await all.jobs.schedules.find(customer.account, id);
    assert.deepEqual([last_run.job, last_run.error, status], [null, 'revoked_api_key', 'active']);
    assert.equal(await jobsOf(all, customer), 1);
    fault = null;
    await pass(clock, all, 6 * hour);
    assert.equal(await jobsOf(all, customer), 2);
  });

  test('follows a clock that is set back, without repeating a run', async (t) => {
    const { clock, all, customer } = await scheduled(t);
    await pass(clock, all, 6 * hour);
    assert.equal(await jobsOf(all, customer), 2);
    // Sets the clock back a little: the created run stays, and the schedule's next time does not change.
    const next = await all.jobs.schedules.findNextDue();
    clock.set(clock.now() - 60_000);
    const looks = () => clock.slept.filter((ms) => ms === pollInterval).length;
    const before = looks();
    all.jobs.wake();
    await until(() => looks() > before);
    assert.deepEqual([await jobsOf(all, customer), await all.jobs.schedules.findNextDue()], [2, next]);
    // By days: the next one is not days away.
    await pass(clock, all, -72 * hour);
    assert.equal(await jobsOf(all, customer), 2);
    const wait = ((await all.jobs.schedules.findNextDue()) ?? 0) - clock.now();
    assert.ok(wait > 0 && wait <= 6 * hour, String(wait));
    await pass(clock, all, wait);
    assert.equal(await jobsOf(all, customer), 3);
  });

  test('starts no run during another, and then records what was missed', async (t) => {
    const { clock, all, customer, id } = await scheduled(t, { start: false });
    all.jobs.start();
    const runs = async () => (await all.jobs.schedules.listRuns(customer.account, id, 10, undefined)).runs;
    // No process could work on the first job for four slots of the timetable.
    await pass(clock, all, 25 * hour);
    const [second, first] = await runs();
    assert.deepEqual([second?.missed, first?.missed], [3, 0]);
    const { finished_at } = await all.jobs.store.find(customer.account, first?.job ?? '');
    assert.notEqual(finished_at, null);
    assert.equal(await jobsOf(all, customer), 2);
    await awaitJob(all, customer, second?.job ?? '');
    await clock.advance(hour);
    await all.jobs.schedules.runNow(customer.account, id);
    all.jobs.wake();
    await until(async () => (await runs()).length === 3);
    const [third] = await runs();
    assert.deepEqual([third?.missed, third?.planned_at], [0, third?.at]);
    const { next_run_at } = await all.jobs.schedules.find(customer.account, id);
    assert.equal(next_run_at, new Date(Date.UTC(2026, 5, 1, 12) + 30 * hour).toISOString());
  });
});
