import { insertion, type Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { bytesOfInputs } from '../account-storage.js';
import type { NewJob } from '../job.js';
import { lineOptionsText } from '../job-row.js';
import { maxSchedules } from './schedule.js';
import { timetableOf } from './schedule-row.js';
import { addRun, forgetRuns } from './schedule-runs.js';

/* The rows of schedules for the job store. Every function runs inside a transaction of its caller. */

/**
 * Creates a schedule with its first job. Rejects `invalid_parameter` for an account with too many. The caller has
 * locked the account's balance, so that concurrent ones are counted one after the other.
 */
export async function insertSchedule(
  queries: Queries,
  id: string,
  job: NewJob,
  { every, timezone, notify = [] }: NonNullable<NewJob['schedule']>,
  now: number,
): Promise<void> {
  const { account, key, name = null, endpoint, credits, inputs, webhookUrl = null } = job;
  const row = await queries.first<{ readonly count: number }>(
    `SELECT count(*) AS count FROM schedules WHERE account = $1 AND status <> 'ended'`,
    [account],
  );
  if ((row?.count ?? 0) >= maxSchedules) {
    throw new ExtractError(
      'invalid_parameter',
      `An account can have at most ${maxSchedules} schedules that have not ended. End one first.`,
    );
  }
  // The same clock as the anchor: a first run a moment before it would be followed by another.
  const nextAt = timetableOf({ every, timezone: timezone ?? null }).next(now, now);
  await queries.run(
    ...insertion('INSERT INTO schedules', {
      ...{
        id,
        account,
        key_id: key?.id ?? null,
        key_name: key?.name ?? null,
        endpoint,
        every,
        name,
        credits,
      },
      ...{
        status: 'active',
        total: inputs.length,
        input_bytes: bytesOfInputs(inputs),
        webhook_url: webhookUrl,
      },
      ...{ created_at: now, anchor: now, last: now, next_at: nextAt, timezone: timezone ?? null },
      line_options: lineOptionsText(job.lineOptions),
      notify: notify.length === 0 ? null : JSON.stringify(notify),
    }),
  );
}

export async function setFirstJob(queries: Queries, schedule: string, job: string): Promise<void> {
  const row = await queries.first<{ readonly last: number }>(
    'UPDATE schedules SET last_job = $1 WHERE id = $2 RETURNING last',
    [job, schedule],
  );
  const at = row?.last ?? 0;
  await addRun(queries, schedule, { at, planned_at: at, missed: 0, job, error: null });
}

/**
 * Deletes an account's schedules before its jobs, and returns them with the bytes of their inputs. A run in progress
 * has created its job by then, and later ones find nothing.
 */
export async function deleteSchedules(
  queries: Queries,
  account: string,
): Promise<readonly { readonly id: string; readonly input_bytes: number }[]> {
  const rows = await queries.rows<{ readonly id: string; readonly input_bytes: number }>(
    'DELETE FROM schedules WHERE account = $1 RETURNING id, input_bytes',
    [account],
  );
  await forgetRuns(
    queries,
    rows.map(({ id }) => id),
  );
  return rows;
}
