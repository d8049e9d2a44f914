import type { Queries } from '../../../lib/database/queries.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { releaseInputs } from '../../../lib/ledger/job-entries.js';
import type { JobRow } from './job-row.js';

/** Returns a job's row and locks it until the transaction ends. Required before any change to a job. */
export function lockJob(queries: Queries, id: string): Promise<JobRow | undefined> {
  const text = `SELECT * FROM jobs WHERE id = $1 ${queries.dialect.forUpdate}`;
  return queries.first<JobRow>({ name: 'jobs_lock', text }, [id]);
}

export function ownedBy(account: string, row: JobRow | undefined): JobRow {
  if (row === undefined || row.account !== account) throw new ExtractError('job_not_found');
  return row;
}

export async function ownedJob(queries: Queries, account: string, id: string): Promise<JobRow> {
  const row = await queries.first<JobRow>({ name: 'jobs_find', text: 'SELECT * FROM jobs WHERE id = $1' }, [
    id,
  ]);
  return ownedBy(account, row);
}

/** Ends and refunds every unfinished input of a locked job. Resolves with the new row. */
export async function cancelJob(queries: Queries, job: JobRow, now: number): Promise<JobRow> {
  const released = await releaseInputs(queries, job);
  const row = await queries.first<JobRow>(
    `UPDATE jobs SET failed = failed + $2, credits_refunded = credits_refunded + $3, status = 'cancelled', finished_at = $4
     WHERE id = $1 RETURNING *`,
    [job.id, released.inputs, released.credits, now],
  );
  return row as JobRow;
}

/** Returns and locks the cancellable jobs of an account, in order of their ids. */
export function lockActive(queries: Queries, account: string): Promise<JobRow[]> {
  return queries.rows<JobRow>(
    `SELECT * FROM jobs WHERE account = $1 AND status IN ('queued', 'running') ORDER BY id ${queries.dialect.forUpdate}`,
    [account],
  );
}
