import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { FakeClock } from '../../support/fake-clock.js';
import { jobKinds } from './database-harness.js';
import {
  awaitJob,
  type JobsHarnessOptions,
  jobsHarness,
  linesOf,
  makeJob,
  numbered,
  until,
} from './harness.js';

const hour = 3_600_000;
/** What the scheduler waits, at most, after it has looked. */
const pollInterval = 30_000;

/** Jobs on a fake clock, for a customer with a six-hour schedule. */
async function scheduled(t: TestContext, options: JobsHarnessOptions = {}) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  const all = await jobsHarness(t, { clock, ...options });
  const { jobs } = all;
  const customer = await all.customer();
  const { account } = customer;
  const first = await makeJob(all, customer, numbered(100), { schedule: { every: '6h' } });
  const { schedule: id = '' } = await jobs.store.find(account, first);
  return {
    ...{ clock, all, jobs, account, id },
    find: () => jobs.schedules.find(account, id),
    countJobs: async () => (await jobs.store.list(account, 100, undefined)).jobs.length,
    awaitJob: (job: string | null | undefined) => awaitJob(all, customer, job ?? ''),
    /** Lets time pass, and what is due be done. */
    async pass(ms: number) {
      clock.set(clock.now() + ms);
      jobs.wake();
      await until(async () => (await jobs.schedules.listDue()).length === 0);
    },
  };
}

describe('the scheduler', () => {
  test('makes a job at each time of its timetable', async (t) => {
    const { all, id, find, countJobs, pass, ...one } = await scheduled(t);
    assert.equal(await countJobs(), 1);
    await pass(6 * hour);
    assert.equal(await countJobs(), 2);
    const job = await one.awaitJob((await find()).last_run.job);
    assert.deepEqual([job.status, job.completed, job.schedule], ['done', 100, id]);
    await pass(6 * hour);
    assert.equal(await countJobs(), 3);
    assert.deepEqual(all.errors, []);
  });

  test('makes no job for a revoked key, and records why', async (t) => {
    let fault: ErrorCode | null = 'revoked_api_key';
    const { find, countJobs, pass } = await scheduled(t, {
      readKeyState: async () => ({ fault, monthlyCredits: null }),
    });
    await pass(6 * hour);
    const { last_run, status } = await find();
    assert.deepEqual([last_run.job, last_run.error, status], [null, 'revoked_api_key', 'active']);
    assert.equal(await countJobs(), 1);
    fault = null;
    await pass(6 * hour);
    assert.equal(await countJobs(), 2);
  });

  test('follows a clock that is set back, without repeating a run', async (t) => {
    const { clock, jobs, countJobs, pass } = await scheduled(t);
    await pass(6 * hour);
    assert.equal(await countJobs(), 2);
    // Sets the clock back a little: the created run stays, and the schedule's next time does not change.
    const next = await jobs.schedules.findNextDue();
    clock.set(clock.now() - 60_000);
    const looks = () => clock.slept.filter((ms) => ms === pollInterval).length;
    const before = looks();
    jobs.wake();
    await until(() => looks() > before);
    assert.deepEqual([await countJobs(), await jobs.schedules.findNextDue()], [2, next]);
    // By days: the next one is not days away.
    await pass(-72 * hour);
    assert.equal(await countJobs(), 2);
    const wait = ((await jobs.schedules.findNextDue()) ?? 0) - clock.now();
    assert.ok(wait > 0 && wait <= 6 * hour, String(wait));
    await pass(wait);
    assert.equal(await countJobs(), 3);
  });

  test('starts no run during another, and then records what was missed', async (t) => {
    const { clock, jobs, account, id, find, countJobs, pass, ...one } = await scheduled(t, { start: false });
    jobs.start();
    const runs = async () => (await jobs.schedules.listRuns(account, id, 10, undefined)).runs;
    // No process could work on the first job for four slots of the timetable.
    await pass(25 * hour);
    const [second, first] = await runs();
    assert.deepEqual([second?.missed, first?.missed], [3, 0]);
    assert.notEqual((await jobs.store.find(account, first?.job ?? '')).finished_at, null);
    assert.equal(await countJobs(), 2);
    await one.awaitJob(second?.job);
    await clock.advance(hour);
    await jobs.schedules.runNow(account, id);
    jobs.wake();
    await until(async () => (await runs()).length === 3);
    const [third] = await runs();
    assert.deepEqual([third?.missed, third?.planned_at], [0, third?.at]);
    assert.equal((await find()).next_run_at, new Date(Date.UTC(2026, 5, 1, 12) + 30 * hour).toISOString());
  });
});

for (const { where, skip, open } of jobKinds) {
  test(`${where} has the inputs of a schedule once, until it and its last job have ended`, {
    skip,
  }, async (t) => {
    const all = await open(t, { start: false });
    const { jobs, clock } = all;
    const customer = await all.customer();
    const { account } = customer;
    const first = await makeJob(all, customer, numbered(3), { schedule: { every: '6h' } });
    clock.set(clock.now() + 6 * hour);
    const [due] = await jobs.schedules.listDue();
    assert.ok(due);
    const at = clock.now();
    const run = { id: due.id, expected: due.nextAt, at, nextAt: at + hour };
    const second = (await jobs.schedules.run(run, 3)) ?? '';
    const countRows = async () => [
      (await all.rows('SELECT 1 AS one FROM schedule_inputs')).length,
      (await all.rows('SELECT 1 AS one FROM job_inputs')).length,
    ];
    assert.deepEqual(await countRows(), [3, 0]);
    assert.equal(await jobs.store.readInput(second, 2), '{"query":"q2"}');
    await jobs.schedules.end(account, due.id);
    assert.deepEqual(await countRows(), [3, 0]);
    await jobs.store.cancel(account, first);
    jobs.start();
    for (const id of [first, second]) {
      await awaitJob(all, customer, id);
      const queries = (await linesOf(all, customer, id)).map(({ input }) => input.query);
      assert.deepEqual(queries, numbered(3));
    }
    await until(async () => (await countRows())[0] === 0, all.pauseMs);
    assert.deepEqual(await countRows(), [0, 0]);
  });
}
