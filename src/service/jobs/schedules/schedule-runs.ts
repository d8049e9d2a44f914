import type * as z from 'zod';
import type { Queries } from '../../../../lib/database/queries.js';
import { isoOrNull, isoTime } from '../../../../lib/read/iso-time.js';
import { shownTarget, type Target } from '../../notify/target.js';
import type { scheduleRunObject } from '../job-objects.js';

export type ScheduleRun = Readonly<z.output<typeof scheduleRunObject>>;

export interface RunPage {
  readonly runs: readonly ScheduleRun[];
  /** The number to continue from; null on the last page. */
  readonly next: number | null;
}

interface RunRow extends Omit<ScheduleRun, 'at' | 'planned_at' | 'alerts'> {
  readonly at: number;
  readonly planned_at: number;
}

interface AlertRow extends Pick<ScheduleRun['alerts'][number], 'state' | 'error'> {
  readonly number: number;
  readonly target: string;
  readonly tries: number;
  readonly due: number | null;
}

/** Maximum remembered runs per schedule. */
const maxRuns = 1000;

/** Adds a run of a locked schedule, and deletes the oldest. */
export async function addRun(
  queries: Queries,
  schedule: string,
  { at, planned_at, missed, job, error }: Omit<RunRow, 'number'>,
): Promise<void> {
  await queries.run(
    `INSERT INTO schedule_runs (schedule, number, at, planned_at, missed, job, error)
     VALUES ($1, (SELECT coalesce(max(number), 0) + 1 FROM schedule_runs WHERE schedule = $1), $2, $3, $4, $5, $6)`,
    [schedule, at, planned_at, missed, job, error],
  );
  if (job !== null) {
    await queries.run(
      `UPDATE schedule_runs SET told = 0 WHERE schedule = $1 AND job = $2
         AND EXISTS (SELECT 1 FROM schedules WHERE id = $1 AND notify IS NOT NULL)`,
      [schedule, job],
    );
  }
  const isOld =
    'schedule = $1 AND number <= (SELECT max(number) FROM schedule_runs WHERE schedule = $1) - $2';
  for (const table of ['schedule_alerts', 'schedule_runs']) {
    await queries.run(`DELETE FROM ${table} WHERE ${isOld}`, [schedule, maxRuns]);
  }
}

/** Returns the runs of a schedule before a number, newest first. */
export async function listRuns(
  queries: Queries,
  schedule: string,
  limit: number,
  before: number | undefined,
): Promise<RunPage> {
  const rows = await queries.rows<RunRow>(
    `SELECT number, at, planned_at, missed, job, error FROM schedule_runs
     WHERE schedule = $1 AND number < $2 ORDER BY number DESC LIMIT $3`,
    [schedule, before ?? Number.MAX_SAFE_INTEGER, limit + 1],
  );
  const alerts = await queries.rows<AlertRow>(
    `SELECT number, target, state, tries, error, due FROM schedule_alerts
     WHERE schedule = $1 AND number >= $2 AND number <= $3 ORDER BY id`,
    [schedule, rows.at(-1)?.number ?? 0, rows[0]?.number ?? 0],
  );
  const alertsOf = (run: number) =>
    alerts
      .filter(({ number }) => number === run)
      .map(({ target, state, tries: attempts, error, due }) => ({
        ...{ target: shownTarget(JSON.parse(target) as Target), state, attempts, error },
        next_attempt_at: isoOrNull(due),
      }));
  const runs = rows.slice(0, limit).map((row) => ({
    ...row,
    at: isoTime(row.at),
    planned_at: isoTime(row.planned_at),
    alerts: alertsOf(row.number),
  }));
  return { runs, next: rows.length > limit ? (runs.at(-1)?.number ?? null) : null };
}

export async function forgetRuns(queries: Queries, schedules: readonly string[]): Promise<void> {
  for (const table of ['schedule_alerts', 'schedule_runs']) {
    await queries.run(`DELETE FROM ${table} WHERE schedule ${queries.dialect.anyOf('$1')}`, [schedules]);
  }
}
