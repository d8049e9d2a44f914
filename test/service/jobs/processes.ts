// Jobs in separate processes: the program, its callers, and the invariants of the state it leaves.
import assert from 'node:assert/strict';
import path from 'node:path';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openStore } from '../../../src/compose/open-store.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { bundle } from '../../support/child-process.js';
import type { Customer } from './harness.js';

/** Bundles `child-program.ts`. */
export function jobProgram(folder: string): Promise<string> {
  return bundle(folder, 'test/service/jobs/child-program.ts', ['better-sqlite3']);
}

const ledgerFile = (home: string) => path.join(home, 'ledger.db');

/** An account with a key in a new data directory. */
export async function newCustomer(home: string): Promise<Customer> {
  const { ledger, accounts } = await openStore(home, systemClock, 500);
  const { id } = await accounts.create({ email: 'customer@example.com', verified: true, credits: 100_000 });
  const { key, secret } = await accounts.createKey({ account: id, name: 'first', platforms: null });
  await ledger.close();
  return { account: id, secret, key };
}

/** Asserts the invariants that hold for every job at any time, whichever process was killed. */
export function assertJobsSound(home: string): void {
  assertSound(ledgerFile(home));
  const wrong = inspect(ledgerFile(home), (db) =>
    db
      .prepare(
        `SELECT jobs.id, total, completed, failed, credits_refunded, pending, ok, lost, back FROM jobs
         JOIN (SELECT job_id, sum(status = 'pending') AS pending, sum(status = 'ok') AS ok,
                 sum(status = 'failed') AS lost, sum(credits_refunded) AS back
               FROM usage GROUP BY job_id) ON job_id = jobs.id
         WHERE completed <> ok OR failed <> lost OR completed + failed + pending <> total
           OR credits_refunded <> back OR lines > completed + failed`,
      )
      .all(),
  );
  assert.deepEqual(wrong, []);
}
