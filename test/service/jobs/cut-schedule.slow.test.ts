import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import { inspect } from '../../ledger/books.js';
import { bundle, start } from '../../support/child-process.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { newHome } from './harness.js';
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
  // Each input is read three times: for the bytes of all, for the size of a piece, and to be written.
  test('by a kill within its inputs leaves nothing behind', async (t) => {
    const home = newHome(t);
    const { account } = await newCustomer(home);
    await start(program, [home, account, '3']).output;
    assert.deepEqual(rowsOf(home), none);
    assertJobsSound(home);
    const { ledger } = await openDirectory(home, systemClock, 500);
    t.after(() => ledger.close());
    assert.equal((await ledger.balance(account)).credits, 100_500);
  });
});
