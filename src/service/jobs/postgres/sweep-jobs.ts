import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import { type Clock, dayMs } from '../../../../lib/runtime/clock.js';
import { forgetAnswers } from '../job-requests.js';
import { resultsDay } from '../results-day.js';
import type { ResultsDays } from './results-days.js';

export interface SweepOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly days: ResultsDays;
  readonly resultDays: number;
}

/** Jobs whose results are deleted per transaction. */
const atOnce = 500;

/**
 * Deletes expired results and webhook attempts, and drops empty days. Creates upcoming days, so that no job has to.
 * Nodes may run it concurrently.
 */
export async function sweepJobs({ postgres, clock, days, resultDays }: SweepOptions): Promise<void> {
  const now = clock.now();
  const today = resultsDay(now);
  await days.ensure(today);
  await days.ensure(today + 1);
  for (let forgotten = atOnce; forgotten === atOnce; ) {
    forgotten = await postgres.transaction(async (queries) => {
      const rows = await queries.rows<{ readonly id: string }>(
        `SELECT id FROM jobs WHERE finished_at <= $1 AND deleted = 0 AND lines = total
         ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [now - resultDays * dayMs, atOnce],
      );
      const ids = rows.map(({ id }) => id);
      await queries.run('UPDATE jobs SET deleted = 1 WHERE id = ANY($1)', [ids]);
      await queries.run('DELETE FROM job_records WHERE job = ANY($1)', [ids]);
      await queries.run('DELETE FROM webhook_attempts WHERE job = ANY($1)', [ids]);
      return ids.length;
    });
  }
  await days.dropExpired(today);
  await postgres.write((queries) => forgetAnswers(queries, now));
}
