import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LineOptions, NewJob } from '../../../src/service/jobs/job.js';
import type { DueRun } from '../../../src/service/jobs/schedules/schedule.js';
import { maxSchedules } from '../../../src/service/jobs/schedules/schedule.js';
import type { ScheduleStore } from '../../../src/service/jobs/schedules/schedule-store.js';
import type { StoredJobs } from '../../../src/service/jobs/stored-jobs.js';
import { refusal } from '../../ledger/ledger-port.js';
import type { FakeClock } from '../../support/fake-clock.js';
import type { FundedAccounts } from './job-store-port.js';

export interface SchedulesUnderTest extends FundedAccounts {
  readonly schedules: ScheduleStore;
  readonly store: StoredJobs;
  readonly clock: FakeClock;
  /** Makes the store fail below the port. */
  breakDriver(): void | Promise<void>;
}

const hour = 3_600_000;
const hook = 'https://hooks.example/';

/** What every store of schedules promises. */
export function schedulesSuite(open: () => Promise<SchedulesUnderTest>): void {
  async function makeSchedule(under: SchedulesUnderTest, account: string, more: Partial<NewJob> = {}) {
    const { store, schedules } = under;
    const job = { account, key: { id: 'key_1', name: 'laptop' }, endpoint: 'maps/place', credits: 3 };
    const order = { ...job, inputs: ['{"q":1}', '{"q":2}'], webhookUrl: hook, idempotency: undefined };
    const schedule = { every: '6h' };
    const { id } = await store.create({ ...order, schedule, ...more }, () => '');
    const { schedule: made = '' } = await store.find(account, id);
    return { job: id, schedule: await schedules.find(account, made) };
  }
  /** Opens a store with an account and its schedule. */
  async function scheduled(credits = 100, more: Partial<NewJob> = {}) {
    const under = await open();
    const owner = await under.account(credits);
    return { under, ...under, owner, ...(await makeSchedule(under, owner, more)) };
  }
  const iso = (time: number) => new Date(time).toISOString();

  async function due({ schedules, clock }: SchedulesUnderTest): Promise<DueRun> {
    const [one] = await schedules.listDue();
    assert.ok(one);
    return { id: one.id, expected: one.nextAt, at: clock.now(), nextAt: one.nextAt + 6 * hour };
  }

  test('a schedule is created with its first job, and shows its next runs and their price', async () => {
    const { job, schedule, under } = await scheduled();
    const now = under.clock.now();
    assert.match(schedule.id, /^sched_/);
    assert.deepEqual(schedule, {
      id: schedule.id,
      endpoint: 'maps/place',
      every: '6h',
      timezone: 'UTC',
      status: 'active',
      total: 2,
      credits_per_run: 6,
      runs_in_30_days: 120,
      credits_in_30_days: 720,
      webhook_url: hook,
      next_run_at: iso(now + 6 * hour),
      last_run: { at: iso(now), job, error: null },
      created_at: iso(now),
    });
    assert.deepEqual(await under.schedules.listDue(), []);
    assert.equal(await under.schedules.findNextDue(), now + 6 * hour);
  });

  test('a schedule that waits for its last run delays no other', async () => {
    const { schedules, clock, under, owner } = await scheduled();
    await makeSchedule(under, owner, { schedule: { every: '7h' } });
    await clock.advance(6 * hour);
    const areBusy = (await schedules.listDue()).map(({ busy }) => busy);
    assert.deepEqual(areBusy, [true]);
    assert.equal(await schedules.findNextDue(), clock.now() + hour);
  });

  test('each job inherits the line options', async () => {
    const under = await open();
    const { schedules, store, clock } = under;
    const owner = await under.account(100);
    const lineOptions = { sources: true, when: 'rating <= 2' } as const;
    const { job, schedule } = await makeSchedule(under, owner, { lineOptions });
    const optionsOf = ({ sources, when }: LineOptions) => ({ sources, when });
    assert.deepEqual(
      [optionsOf(schedule), optionsOf(await store.find(owner, job))],
      [lineOptions, lineOptions],
    );
    await clock.advance(6 * hour);
    const next = await schedules.run(await due(under), 3);
    assert.deepEqual(optionsOf(await store.find(owner, next ?? '')), lineOptions);
  });

  test('leaves nothing if its first job is refused', async () => {
    const under = await open();
    const owner = await under.account(5);
    await assert.rejects(makeSchedule(under, owner), refusal('insufficient_credits'));
    assert.deepEqual((await under.schedules.list(owner, 10, undefined)).schedules, []);
    assert.equal(await under.schedules.findNextDue(), null);
  });

  test('a run is created once, however often it is requested', async () => {
    const { schedules, store, clock, credits, schedule, under, owner } = await scheduled();
    await clock.advance(6 * hour);
    const [at] = await schedules.listDue();
    assert.deepEqual([at?.account, at?.key?.id, at?.every], [owner, 'key_1', '6h']);
    const run = await due(under);
    const runs = await Promise.all([1, 2, 3].map(() => schedules.run(run, 3)));
    const [job = '', ...more] = runs.filter((one) => one !== null);
    assert.deepEqual(more, []);
    const found = await store.find(owner, job);
    assert.deepEqual([found.total, found.schedule, found.webhook?.url], [2, schedule.id, hook]);
    assert.equal(await store.readInput(job, 1), '{"q":2}');
    assert.equal(await credits(owner), 88);
    assert.deepEqual(await schedules.listDue(), []);
    const after = await schedules.find(owner, schedule.id);
    assert.deepEqual(after.last_run, { at: iso(clock.now()), job, error: null });
    assert.equal(after.next_run_at, iso(clock.now() + 6 * hour));
  });

  test('a run that the balance does not cover is refused and recorded', async () => {
    const { schedules, clock, credits, schedule, under, owner } = await scheduled(8);
    await clock.advance(6 * hour);
    const run = await due(under);
    await assert.rejects(schedules.run(run, 3), refusal('insufficient_credits'));
    assert.equal(await credits(owner), 2);
    assert.equal((await due(under)).id, run.id);
    await schedules.refuse(run, 'insufficient_credits');
    const { last_run, status } = await schedules.find(owner, schedule.id);
    assert.deepEqual(
      [last_run, status],
      [{ at: iso(clock.now()), job: null, error: 'insufficient_credits' }, 'active'],
    );
    assert.deepEqual(await schedules.listDue(), []);
  });

  test('pauses, resumes without repeating missed runs, and ends for good', async () => {
    const { schedules, clock, schedule, under, owner } = await scheduled();
    const { id } = schedule;
    const paused = await schedules.pause(owner, id);
    assert.deepEqual([paused.status, paused.next_run_at, paused.credits_in_30_days], ['paused', null, 0]);
    await clock.advance(20 * hour);
    assert.deepEqual(await schedules.listDue(), []);
    const resumed = await schedules.resume(owner, id);
    assert.deepEqual([resumed.status, resumed.next_run_at], ['active', iso(clock.now() + 4 * hour)]);
    assert.deepEqual(await schedules.resume(owner, id), resumed);
    await clock.advance(4 * hour);
    const run = await due(under);
    assert.equal((await schedules.end(owner, id)).status, 'ended');
    assert.equal((await schedules.end(owner, id)).status, 'ended');
    // What somebody read before it was ended makes nothing.
    assert.equal(await schedules.run(run, 3), null);
    for (const change of [() => schedules.pause(owner, id), () => schedules.resume(owner, id)]) {
      await assert.rejects(change, refusal('schedule_ended'));
    }
  });

  test('remembers its runs, including missed and refused ones', async () => {
    const { schedules, clock, schedule, job, under, owner } = await scheduled(12);
    const start = clock.now();
    await clock.advance(20 * hour);
    const second = await schedules.run({ ...(await due(under)), missed: 2 }, 3);
    await clock.advance(6 * hour);
    await schedules.refuse(await due(under), 'insufficient_credits');
    const { runs, next } = await schedules.listRuns(owner, schedule.id, 2, undefined);
    const rest = await schedules.listRuns(owner, schedule.id, 2, next ?? undefined);
    const defaults = { missed: 0, error: null, alerts: [] };
    assert.deepEqual(
      [...runs, ...rest.runs],
      [
        {
          ...{ number: 3, at: iso(start + 26 * hour), planned_at: iso(start + 12 * hour) },
          ...{ missed: 0, job: null, error: 'insufficient_credits', alerts: [] },
        },
        {
          ...{ number: 2, at: iso(start + 20 * hour), planned_at: iso(start + 6 * hour) },
          ...{ ...defaults, missed: 2, job: second },
        },
        { number: 1, at: iso(start), planned_at: iso(start), ...defaults, job },
      ],
    );
    assert.equal(rest.next, null);
  });

  test('runs on demand, but not during another run', async () => {
    const { schedules, store, clock, job, schedule, owner } = await scheduled();
    await clock.advance(hour);
    const now = () => schedules.runNow(owner, schedule.id);
    await assert.rejects(now(), refusal('job_not_finished'));
    assert.equal((await schedules.listDue()).length, 0);
    await store.cancel(owner, job);
    const stays = schedule.next_run_at;
    assert.notEqual(stays, null);
    await schedules.pause(owner, schedule.id);
    await assert.rejects(now(), refusal('invalid_parameter', /paused/));
    await schedules.end(owner, schedule.id);
    await assert.rejects(now(), refusal('schedule_ended'));
  });

  test('keeps its time zone', async () => {
    const under = await open();
    under.clock.set(Date.parse('2026-03-27T12:00:00Z'));
    const owner = await under.account(100);
    const zone = { every: '30 2 * * *', timezone: 'Europe/Berlin' };
    const { schedule } = await makeSchedule(under, owner, { schedule: zone });
    assert.deepEqual(
      [schedule.timezone, schedule.next_run_at],
      ['Europe/Berlin', '2026-03-28T01:30:00.000Z'],
    );
  });

  test('belongs to its account', async () => {
    const under = await open();
    const { schedules } = under;
    const [owner, other] = [await under.account(100), await under.account(100)];
    const { id } = (await makeSchedule(under, owner)).schedule;
    for (const reach of [
      () => schedules.find(other, id),
      () => schedules.pause(other, id),
      () => schedules.resume(other, id),
      () => schedules.end(other, id),
      () => schedules.runNow(other, id),
      () => schedules.listRuns(other, id, 10, undefined),
    ]) {
      await assert.rejects(reach, refusal('schedule_not_found'));
    }
    assert.deepEqual((await schedules.list(other, 10, undefined)).schedules, []);
  });

  test('is listed newest first, page by page; an account has a bounded number', async () => {
    const under = await open();
    const { schedules } = under;
    const owner = await under.account(100_000);
    const ids: string[] = [];
    for (let count = 0; count < maxSchedules; count += 1)
      ids.unshift((await makeSchedule(under, owner)).schedule.id);
    const first = await schedules.list(owner, 60, undefined);
    const second = await schedules.list(owner, 60, first.next ?? undefined);
    const listedIds = [...first.schedules, ...second.schedules].map(({ id }) => id);
    assert.deepEqual(listedIds, ids);
    assert.equal(second.next, null);
    await assert.rejects(makeSchedule(under, owner), refusal('invalid_parameter', /at most 100/));
    await schedules.end(owner, ids[0] ?? '');
    await makeSchedule(under, owner);
  });

  test('that ended is remembered up to a bound, the newest of an account', async () => {
    const under = await open();
    const { schedules } = under;
    const owner = await under.account(100_000);
    const first = await makeSchedule(under, owner);
    const oldest = await makeSchedule(under, owner);
    await schedules.end(owner, oldest.schedule.id);
    for (let count = 0; count < maxSchedules; count += 1) {
      await schedules.end(owner, (await makeSchedule(under, owner)).schedule.id);
    }
    const all: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await schedules.list(owner, 100, before);
      all.push(...page.schedules.map(({ id }) => id));
      if (page.next === null) break;
      before = page.next;
    }
    assert.equal(all.length, maxSchedules + 1);
    assert.ok(all.includes(first.schedule.id) && !all.includes(oldest.schedule.id));
    // Ending a schedule returns it even if it is old enough to be dropped by that.
    assert.equal((await schedules.end(owner, first.schedule.id)).status, 'ended');
  });

  test('is due when the clock is set back behind its last run', async () => {
    const { schedules, clock } = await scheduled();
    clock.set(clock.now() - 48 * hour);
    const [one] = await schedules.listDue();
    assert.ok(one);
    await schedules.move({ id: one.id, expected: one.nextAt, at: clock.now(), nextAt: clock.now() + hour });
    assert.deepEqual(await schedules.listDue(), []);
    assert.equal(await schedules.findNextDue(), clock.now() + hour);
  });

  test('names its faults', async () => {
    const under = await open();
    await under.breakDriver();
    await assert.rejects(under.schedules.listDue(), refusal('internal_error'));
    await assert.rejects(under.schedules.end('a', 'b'), refusal('internal_error'));
  });
}
