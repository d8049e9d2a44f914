import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LineOptions, NewJob } from '../../../src/service/jobs/job.js';
import type { DueRun } from '../../../src/service/jobs/schedules/schedule.js';
import { maxSchedules } from '../../../src/service/jobs/schedules/schedule.js';
import { refusal } from '../../ledger/ledger-port.js';
import { bothStores } from './both-stores.js';

const hour = 3_600_000;
const hook = 'https://hooks.example/';
const iso = (time: number) => new Date(time).toISOString();

for (const { where, skip, open } of bothStores) {
  /** Opens a store with an account that may make schedules. */
  async function opened(credits = 100) {
    const under = await open();
    const { store, schedules, clock } = under;
    const owner = await under.account(credits);
    return {
      ...{ ...under, owner },
      async makeSchedule(more: Partial<NewJob> = {}) {
        const order = { key: { id: 'key_1', name: 'laptop' }, webhookUrl: hook, schedule: { every: '6h' } };
        const job = await under.make(owner, 2, { ...order, ...more });
        const { schedule: id = '' } = await store.find(owner, job);
        return { job, id, schedule: await schedules.find(owner, id) };
      },
      async due(): Promise<DueRun> {
        const [one] = await schedules.listDue();
        assert.ok(one);
        return { id: one.id, expected: one.nextAt, at: clock.now(), nextAt: one.nextAt + 6 * hour };
      },
    };
  }

  /** Opens a store with an account and its schedule. */
  async function scheduled(credits?: number, more?: Partial<NewJob>) {
    const under = await opened(credits);
    return { ...under, ...(await under.makeSchedule(more)) };
  }

  describe(`a schedule in ${where}`, { skip }, () => {
    test('is created with its first job, and shows its next runs and their price', async () => {
      const { id, job, schedule, schedules, clock } = await scheduled();
      const now = clock.now();
      assert.match(id, /^sched_/);
      assert.deepEqual(schedule, {
        ...{ id, endpoint: 'maps/place', every: '6h', timezone: 'UTC', status: 'active', webhook_url: hook },
        ...{ total: 2, credits_per_run: 6, runs_in_30_days: 120, credits_in_30_days: 720 },
        next_run_at: iso(now + 6 * hour),
        last_run: { at: iso(now), job, error: null },
        created_at: iso(now),
      });
      assert.deepEqual(await schedules.listDue(), []);
      assert.equal(await schedules.findNextDue(), now + 6 * hour);
    });

    test('that waits for its last run delays no other', async () => {
      const { schedules, clock, makeSchedule } = await scheduled();
      await makeSchedule({ schedule: { every: '7h' } });
      await clock.advance(6 * hour);
      const areBusy = (await schedules.listDue()).map(({ busy }) => busy);
      assert.deepEqual(areBusy, [true]);
      assert.equal(await schedules.findNextDue(), clock.now() + hour);
    });

    test('gives each job its line options', async () => {
      const lineOptions = { sources: true, when: 'rating <= 2' } as const;
      const { schedules, store, clock, job, schedule, owner, due } = await scheduled(100, { lineOptions });
      await clock.advance(6 * hour);
      const next = (await schedules.run(await due(), 3)) ?? '';
      const all: LineOptions[] = [schedule, await store.find(owner, job), await store.find(owner, next)];
      for (const { sources, when } of all) assert.deepEqual({ sources, when }, lineOptions);
    });

    test('leaves nothing if its first job is refused', async () => {
      const { schedules, owner, makeSchedule } = await opened(5);
      await assert.rejects(makeSchedule(), refusal('insufficient_credits'));
      assert.deepEqual((await schedules.list(owner, 10, undefined)).schedules, []);
      assert.equal(await schedules.findNextDue(), null);
    });

    test('makes a run once, however often it is requested', async () => {
      const { schedules, store, clock, credits, id, owner, due } = await scheduled();
      await clock.advance(6 * hour);
      const [at] = await schedules.listDue();
      assert.deepEqual([at?.account, at?.key?.id, at?.every], [owner, 'key_1', '6h']);
      const run = await due();
      const runs = await Promise.all([1, 2, 3].map(() => schedules.run(run, 3)));
      const [job = '', ...more] = runs.filter((one) => one !== null);
      assert.deepEqual(more, []);
      const found = await store.find(owner, job);
      assert.deepEqual([found.total, found.schedule, found.webhook?.url], [2, id, hook]);
      assert.equal(await store.readInput(job, 1), '{"n":1}');
      assert.equal(await credits(owner), 88);
      assert.deepEqual(await schedules.listDue(), []);
      const after = await schedules.find(owner, id);
      assert.deepEqual(after.last_run, { at: iso(clock.now()), job, error: null });
      assert.equal(after.next_run_at, iso(clock.now() + 6 * hour));
    });

    test('records a run that the balance does not cover', async () => {
      const { schedules, clock, credits, id, owner, due } = await scheduled(8);
      await clock.advance(6 * hour);
      const run = await due();
      await assert.rejects(schedules.run(run, 3), refusal('insufficient_credits'));
      assert.equal(await credits(owner), 2);
      assert.equal((await due()).id, run.id);
      await schedules.refuse(run, 'insufficient_credits');
      const { last_run, status } = await schedules.find(owner, id);
      assert.deepEqual(last_run, { at: iso(clock.now()), job: null, error: 'insufficient_credits' });
      assert.deepEqual([status, await schedules.listDue()], ['active', []]);
    });

    test('pauses, resumes without repeating missed runs, and ends for good', async () => {
      const { schedules, clock, id, owner, due } = await scheduled();
      const paused = await schedules.pause(owner, id);
      assert.deepEqual([paused.status, paused.next_run_at, paused.credits_in_30_days], ['paused', null, 0]);
      await clock.advance(20 * hour);
      assert.deepEqual(await schedules.listDue(), []);
      const resumed = await schedules.resume(owner, id);
      assert.deepEqual([resumed.status, resumed.next_run_at], ['active', iso(clock.now() + 4 * hour)]);
      assert.deepEqual(await schedules.resume(owner, id), resumed);
      await clock.advance(4 * hour);
      const run = await due();
      assert.equal((await schedules.end(owner, id)).status, 'ended');
      assert.equal((await schedules.end(owner, id)).status, 'ended');
      // What somebody read before it was ended makes nothing.
      assert.equal(await schedules.run(run, 3), null);
      await assert.rejects(schedules.pause(owner, id), refusal('schedule_ended'));
      await assert.rejects(schedules.resume(owner, id), refusal('schedule_ended'));
    });

    test('remembers its runs, including missed and refused ones', async () => {
      const { schedules, clock, id, job, owner, due } = await scheduled(12);
      const start = clock.now();
      await clock.advance(20 * hour);
      const second = await schedules.run({ ...(await due()), missed: 2 }, 3);
      await clock.advance(6 * hour);
      await schedules.refuse(await due(), 'insufficient_credits');
      const { runs, next } = await schedules.listRuns(owner, id, 2, undefined);
      const rest = await schedules.listRuns(owner, id, 2, next ?? undefined);
      const run = (number: number, at: number, planned: number, more: object) => ({
        ...{ number, at: iso(start + at * hour), planned_at: iso(start + planned * hour) },
        ...{ missed: 0, error: null, alerts: [], ...more },
      });
      assert.deepEqual(
        [...runs, ...rest.runs],
        [
          run(3, 26, 12, { job: null, error: 'insufficient_credits' }),
          run(2, 20, 6, { missed: 2, job: second }),
          run(1, 0, 0, { job }),
        ],
      );
      assert.equal(rest.next, null);
    });

    test('runs on demand, but not during another run, paused or ended', async () => {
      const { schedules, store, clock, job, id, owner } = await scheduled();
      await clock.advance(hour);
      const now = () => schedules.runNow(owner, id);
      await assert.rejects(now(), refusal('job_not_finished'));
      assert.equal((await schedules.listDue()).length, 0);
      await store.cancel(owner, job);
      await schedules.pause(owner, id);
      await assert.rejects(now(), refusal('invalid_parameter', /paused/));
      await schedules.end(owner, id);
      await assert.rejects(now(), refusal('schedule_ended'));
    });

    test('keeps its time zone', async () => {
      const { clock, makeSchedule } = await opened();
      clock.set(Date.parse('2026-03-27T12:00:00Z'));
      const zone = { every: '30 2 * * *', timezone: 'Europe/Berlin' };
      const { timezone, next_run_at } = (await makeSchedule({ schedule: zone })).schedule;
      assert.deepEqual([timezone, next_run_at], ['Europe/Berlin', '2026-03-28T01:30:00.000Z']);
    });

    test('belongs to its account', async () => {
      const { schedules, account, id } = await scheduled();
      const other = await account(100);
      const { find, pause, resume, end, runNow } = schedules;
      for (const reach of [find, pause, resume, end, runNow].map((method) => method.bind(schedules))) {
        await assert.rejects(reach(other, id), refusal('schedule_not_found'));
      }
      await assert.rejects(schedules.listRuns(other, id, 10, undefined), refusal('schedule_not_found'));
      assert.deepEqual((await schedules.list(other, 10, undefined)).schedules, []);
    });

    test('is listed newest first, page by page; an account has a bounded number', async () => {
      const { schedules, owner, makeSchedule } = await opened(100_000);
      const ids: string[] = [];
      for (let count = 0; count < maxSchedules; count += 1) ids.unshift((await makeSchedule()).id);
      const first = await schedules.list(owner, 60, undefined);
      const second = await schedules.list(owner, 60, first.next ?? undefined);
      const listedIds = [...first.schedules, ...second.schedules].map(({ id }) => id);
      assert.deepEqual([listedIds, second.next], [ids, null]);
      await assert.rejects(makeSchedule(), refusal('invalid_parameter', /at most 100/));
      await schedules.end(owner, ids[0] ?? '');
      await makeSchedule();
    });

    test('that ended is remembered up to a bound, the newest of an account', async () => {
      const { schedules, owner, makeSchedule } = await opened(100_000);
      const first = await makeSchedule();
      const oldest = await makeSchedule();
      await schedules.end(owner, oldest.id);
      for (let count = 0; count < maxSchedules; count += 1) {
        await schedules.end(owner, (await makeSchedule()).id);
      }
      const all: string[] = [];
      for (let next: string | null | undefined; next !== null; ) {
        const page = await schedules.list(owner, 100, next);
        all.push(...page.schedules.map(({ id }) => id));
        next = page.next;
      }
      assert.equal(all.length, maxSchedules + 1);
      assert.ok(all.includes(first.id) && !all.includes(oldest.id));
      // Ending a schedule returns it even if it is old enough to be dropped by that.
      assert.equal((await schedules.end(owner, first.id)).status, 'ended');
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
      const { schedules, breakDriver } = await open();
      await breakDriver();
      await assert.rejects(schedules.listDue(), refusal('internal_error'));
      await assert.rejects(schedules.end('a', 'b'), refusal('internal_error'));
    });
  });
}
