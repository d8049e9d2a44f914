import type { Queries } from '../../../../../lib/database/queries.js';
import type { Database } from '../../../../../lib/database/sqlite/driver.js';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import { makeDay } from '../../postgres/results-days.js';

/** Creates the days of a data directory's results, inside a transaction. */
export async function makeDays(queries: Queries, db: Database): Promise<void> {
  const days = db.prepare<[], number>('SELECT DISTINCT day FROM job_results').pluck().all();
  for (const day of days) await makeDay(queries, day);
}

/** Rejects `invalid_parameter` unless all lines exist that the jobs' rows count. Must run in a transaction. */
export async function refuseMissingLines(queries: Queries): Promise<void> {
  const job = await queries.first<{ readonly id: string; readonly missing: number }>(
    `SELECT id, lines - coalesce(stored, 0) AS missing FROM jobs LEFT JOIN (
       SELECT job, count(*) AS stored FROM job_results JOIN jobs ON id = job AND place < lines GROUP BY job
     ) AS counted ON job = id WHERE deleted = 0 AND lines > coalesce(stored, 0) ORDER BY id LIMIT 1`,
  );
  if (job === undefined) return;
  throw new ExtractError(
    'invalid_parameter',
    `${job.missing} lines of the results of job ${job.id} are missing. Restore results.db from a backup, or wait until the results have expired.`,
  );
}
