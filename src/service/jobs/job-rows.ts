import type { Queries } from '../../../lib/database/queries.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { releaseInputs } from '../../../lib/ledger/job-entries.js';
import { cancelled } from './job.js';
import type { JobRow } from './job-row.js';

/** Returns the row of a job, locked until the transaction ends. Required to change anything about a job. */
export function lockJob(queries: Queries, id: string): Promise<JobRow | undefined> {
  const text = `SELECT * FROM jobs WHERE id = $1 ${queries.dialect.forUpdate}`;
  return queries.first<JobRow>({ name: 'jobs_lock', text }, [id]);
}

/** Checks that a row belongs to an account. Throws `job_not_found`. */
export function ownedBy(account: string, row: JobRow | undefined): JobRow {
  if (row === undefined || row.account !== account) throw new ExtractError('job_not_found');
  return row;
}

/** Returns the row of an account's job. Rejects `job_not_found`. */
export async function ownedJob(queries: Queries, account: string, id: string): Promise<JobRow> {
  const row = await queries.first<JobRow>({ name: 'jobs_find', text: 'SELECT * FROM jobs WHERE id = $1' }, [
    id,
  ]);
  return ownedBy(account, row);
}

/** Ends every unfinished input of a locked job, and refunds it. Resolves with the row afterwards. */
export async function cancelJob(queries: Queries, job: JobRow, now: number): Promise<JobRow> {
  const released = await releaseInputs(queries, job, cancelled);
  const row = await queries.first<JobRow>(
    `UPDATE jobs SET failed = failed + $2, credits_refunded = credits_refunded + $3, status = 'cancelled', finished_at = $4
     WHERE id = $1 RETURNING *`,
    [job.id, released.inputs, released.credits, now],
  );
  return row as JobRow;
}

/** Returns the cancellable jobs of an account, locked in the order of their ids. */
export function lockActive(queries: Queries, account: string): Promise<JobRow[]> {
  return queries.rows<JobRow>(
    `SELECT * FROM jobs WHERE account = $1 AND status IN ('queued', 'running') ORDER BY id ${queries.dialect.forUpdate}`,
    [account],
  );
}
