import assert from 'node:assert/strict';
import path from 'node:path';
import { assertSound, inspect } from '../../ledger/books.js';

/** Asserts the invariants that hold for every job at any time, whichever process was killed. */
export function assertJobsSound(home: string): void {
  const file = path.join(home, 'ledger.db');
  assertSound(file);
  const wrong = inspect(file, (db) =>
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
