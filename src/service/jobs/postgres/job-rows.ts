import type { Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { releaseInputs } from '../../../../lib/ledger/postgres/job-entries.js';
import { cancelled } from '../job.js';
import type { JobRow } from '../job-row.js';

/** The row of a job, locked until the transaction ends: whoever changes anything of a job holds it. */
export function lockJob(queries: Queries, id: string): Promise<JobRow | undefined> {
  return queries.first<JobRow>({ name: 'jobs_lock', text: 'SELECT * FROM jobs WHERE id = $1 FOR UPDATE' }, [
    id,
  ]);
}

/** A row that is an account's. Throws `job_not_found`. */
export function ownedBy(account: string, row: JobRow | undefined): JobRow {
  if (row === undefined || row.account !== account) throw new ExtractError('job_not_found');
  return row;
}

/** The row of an account's job. Rejects `job_not_found`. */
export async function ownedJob(queries: Queries, account: string, id: string): Promise<JobRow> {
  const row = await queries.first<JobRow>({ name: 'jobs_find', text: 'SELECT * FROM jobs WHERE id = $1' }, [
    id,
  ]);
  return ownedBy(account, row);
}

/** Ends every input of a locked job that has not ended, and gives its price back. Resolves with the row after it. */
export async function cancelJob(queries: Queries, { id, account }: JobRow, now: number): Promise<JobRow> {
  const released = await releaseInputs(queries, id, account, cancelled);
  const row = await queries.first<JobRow>(
    `UPDATE jobs SET failed = failed + $2, credits_refunded = credits_refunded + $3, status = 'cancelled', finished_at = $4
     WHERE id = $1 RETURNING *`,
    [id, released.inputs, released.credits, now],
  );
  return row as JobRow;
}

/** Jobs of an account that can still be cancelled, locked in the order of their ids. */
export function lockActive(queries: Queries, account: string): Promise<JobRow[]> {
  return queries.rows<JobRow>(
    `SELECT * FROM jobs WHERE account = $1 AND status IN ('queued', 'running') ORDER BY id FOR UPDATE`,
    [account],
  );
}

/**
 * The inputs of the job `$1`: its own, or those of its schedule, which are held once. A job that has both was made by
 * an earlier version, or its schedule has ended.
 */
export const inputsOfJob = `(
  SELECT place, input FROM job_inputs WHERE job = $1
  UNION ALL
  SELECT place, input FROM schedule_inputs
  WHERE schedule = (SELECT schedule FROM jobs WHERE id = $1) AND NOT EXISTS (SELECT FROM job_inputs WHERE job = $1)
)`;
