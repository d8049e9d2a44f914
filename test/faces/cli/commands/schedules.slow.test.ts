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
    const { run, data, code, clock } = await served(t);
    const job = await data(argv`${create} 6h --new --sources --when ${'berths > 1'}`, inputs);
    assert.match(job.schedule, /^sched_/);
    assert.deepEqual([job.new, job.sources, job.when], [true, true, 'berths > 1']);
    const listed = await data(argv`schedules list`);
    assert.partialDeepStrictEqual(listed, [
      {
        ...{ id: job.schedule, every: '6h', status: 'active', total: 2 },
        // Two inputs of 3 credits, four times a day.
        ...{ credits_per_run: 6, runs_in_30_days: 120, credits_in_30_days: 720 },
        next_run_at: new Date(clock.now() + 6 * hour).toISOString(),
        last_run: { job: job.id },
      },
    ]);
    const [one, ...others] = listed;
    assert.deepEqual(others, []);
    const act = (action: string) => data(['schedules', action, one.id]);
    assert.deepEqual(await act('show'), one);
    const paused = await act('pause');
    assert.deepEqual([paused.status, paused.next_run_at, paused.credits_in_30_days], ['paused', null, 0]);
    assert.deepEqual([(await act('resume')).status, (await act('end')).status], ['active', 'ended']);
    const unkept = await run(argv`schedules changes ${one.id} --since 7d --field name`);
    assert.match(JSON.parse(unkept.err).error.message, /keeps no history/);
    const { schedule } = await data(argv`${create} 6h --history`, inputs);
    const changes = assertExit(await run(argv`schedules changes ${schedule} --json`), 0);
    assert.equal(JSON.parse(changes.out).meta.next_cursor, null);
    assert.equal(await code(argv`schedules resume ${one.id}`, 2), 'schedule_ended');
    assert.equal((await data(argv`jobs list`)).length, 2);
  });

  test('refuse an invalid timetable and schedule, with a remedy', async (t) => {
    const { data, code } = await served(t);
    for (const every of ['soon', '5m', '* * * * *'])
      assert.equal(await code([...create, every], 2, inputs), 'invalid_parameter', every);
    assert.deepEqual(await data(argv`jobs list`), []);
    for (const action of ['show', 'pause', 'resume', 'end'])
      assert.equal(await code(argv`schedules ${action} sched_none`, 4), 'schedule_not_found');
    assert.equal(await code(argv`schedules end`, 2), 'missing_parameter');
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
