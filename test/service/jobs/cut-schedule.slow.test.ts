import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { inspect } from '../../ledger/books.js';
import { bundle, start } from '../../support/child-process.js';
import { FakeClock } from '../../support/fake-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { jobsHarness, makeJob, newHome, numbered } from './harness.js';
import { assertJobsSound, newCustomer } from './processes.js';

const folder = temporaryFolder();
let program: string;
before(async () => {
  program = await bundle(folder, 'test/service/jobs/cut-schedule-program.ts', ['better-sqlite3']);
});

const tables = ['jobs', 'schedules', 'job_inputs', 'schedule_inputs'] as const;

/** Rows of the tables that making a schedule writes. */
function rowsOf(home: string): Readonly<Record<(typeof tables)[number], number>> {
  return inspect(path.join(home, 'ledger.db'), (db) => {
    const count = (table: string) =>
      db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
    return Object.fromEntries(tables.map((table) => [table, count(table)])) as Record<
      (typeof tables)[number],
      number
    >;
  });
}

const none = { jobs: 0, schedules: 0, job_inputs: 0, schedule_inputs: 0 };

describe('a schedule whose making was cut off', () => {
  // Each input is read twice: to size its piece, and to be written. The jobs read the schedule's inputs.
  test('by a kill within its inputs leaves nothing behind', async (t) => {
    const home = newHome(t);
    const { account } = await newCustomer(home);
    await start(program, [home, account, '2']).output;
    const counts = rowsOf(home);
    assert.deepEqual([counts.jobs, counts.schedules], [0, 0]);
    assert.deepEqual([counts.job_inputs, counts.schedule_inputs > 0], [0, true]);
    assertJobsSound(home);

    const clock = new FakeClock(systemClock.now());
    const { ledger, jobStores } = await openDirectory(home, clock, 500);
    t.after(() => ledger.close());
    // Its process may still be running.
    await jobStores.jobs.forgetStagedInputs();
    assert.deepEqual(rowsOf(home), counts);
    await clock.advance(2 * 3_600_000);
    await jobStores.jobs.forgetStagedInputs();
    assert.deepEqual(rowsOf(home), none);
    assert.equal((await ledger.balance(account)).credits, 100_500);
  });

  test('is told from schedules that stand, whose inputs are kept', async (t) => {
    const clock = new FakeClock(Date.UTC(2026, 5, 1, 12));
    const all = await jobsHarness(t, { clock, start: false });
    const customer = await all.customer();
    await makeJob(all, customer, numbered(3), { schedule: { every: '6h' } });
    clock.set(clock.now() + 100 * 3_600_000);
    await all.opened.jobStores.jobs.forgetStagedInputs();
    assert.equal(rowsOf(all.home).schedule_inputs, 3);
  });
});
