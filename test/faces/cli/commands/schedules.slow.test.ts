import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { argv } from '../../../support/argv.js';
import { assertExit } from '../../../support/assert-exit.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { jobsServer } from '../jobs-server.js';

const folder = temporaryFolder();
const hour = 3_600_000;

async function served(t: TestContext) {
  const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
  return { ...(await jobsServer(t, folder, { clock })), clock };
}

const inputs = '{"query":"a"}\n{"query":"b"}\n';
const create = argv`jobs create maps/harbours --every`;

describe('extract jobs create --every, and extract jobs schedules', () => {
  test('make, list, show, pause, resume and end a schedule', async (t) => {
    const { run, clock } = await served(t);
    const created = await run(argv`${create} 6h --new --sources --when ${'berths > 1'}`, inputs);
    assert.equal(created.status, 0, created.err);
    const job = JSON.parse(created.out).data;
    assert.match(job.schedule, /^sched_/);
    assert.deepEqual([job.new, job.sources, job.when], [true, true, 'berths > 1']);

    const { data: listed } = JSON.parse((await run(argv`schedules list --json`)).out);
    const [one] = listed;
    assert.deepEqual(
      [listed.length, one.id, one.every, one.status, one.total],
      [1, job.schedule, '6h', 'active', 2],
    );
    // Two inputs of 3 credits, four times a day.
    assert.deepEqual([one.credits_per_run, one.runs_in_30_days, one.credits_in_30_days], [6, 120, 720]);
    assert.equal(one.next_run_at, new Date(clock.now() + 6 * hour).toISOString());
    assert.equal(one.last_run.job, job.id);

    const act = async (action: string) => {
      const done = assertExit(await run(['schedules', action, one.id]), 0);
      return JSON.parse(done.out).data;
    };
    assert.deepEqual(await act('show'), one);
    const paused = await act('pause');
    assert.deepEqual([paused.status, paused.next_run_at, paused.credits_in_30_days], ['paused', null, 0]);
    assert.deepEqual([(await act('resume')).status, (await act('end')).status], ['active', 'ended']);
    const unkept = await run(argv`schedules changes ${one.id} --since 7d --field name`);
    assert.match(JSON.parse(unkept.err).error.message, /keeps no history/);
    const schedule = await run(argv`${create} 6h --history`, inputs);
    const listing = await run(argv`schedules changes ${JSON.parse(schedule.out).data.schedule} --json`);
    assert.deepEqual([listing.status, JSON.parse(listing.out).meta.next_cursor], [0, null]);
    const late = await run(argv`schedules resume ${one.id}`);
    assert.equal(JSON.parse(late.err).error.code, 'schedule_ended');
    assert.equal(JSON.parse((await run(argv`jobs list --json`)).out).data.length, 2);
  });

  test('refuse an invalid timetable and schedule, with a remedy', async (t) => {
    const { run } = await served(t);
    for (const every of ['soon', '5m', '* * * * *']) {
      const refused = await run([...create, every], inputs);
      assert.deepEqual([refused.status, JSON.parse(refused.err).error.code], [2, 'invalid_parameter'], every);
    }
    assert.deepEqual(JSON.parse((await run(argv`jobs list --json`)).out).data, []);
    for (const action of ['show', 'pause', 'resume', 'end']) {
      const unknown = await run(argv`schedules ${action} sched_none`);
      assert.deepEqual([unknown.status, JSON.parse(unknown.err).error.code], [4, 'schedule_not_found']);
    }
    assert.equal((await run(argv`schedules end`)).status, 2);
  });

  test('are read in pages, as CSV on request', async (t) => {
    const { run } = await served(t);
    for (const every of ['6h', '1d', '0 6 * * 1']) await run([...create, every], inputs);
    const first = JSON.parse((await run(argv`schedules list --json --limit 2`)).out);
    assert.equal(first.data.length, 2);
    const rest = await run(argv`schedules list --json --limit 2 --cursor ${first.meta.next_cursor}`);
    const second = JSON.parse(rest.out);
    const intervals = [...first.data, ...second.data].map(({ every }) => every);
    assert.deepEqual(intervals, ['0 6 * * 1', '1d', '6h']);
    assert.equal(second.meta.next_cursor, null);
    const csv = await run(argv`schedules list --format csv`);
    assert.equal(csv.out.trimEnd().split(/\r?\n/).length, 4, csv.out);
  });
});
