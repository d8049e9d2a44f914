import type { RowOf } from '../../../../lib/database/columns.js';
import { isoOrNull, isoTime } from '../../../../lib/read/iso-time.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import { shownTarget, type Target } from '../../notify/target.js';
import { defaultZone } from '../../schedule/time-zone.js';
import { countRuns, parseTimetable } from '../../schedule/timetable.js';
import { keyOf, lineOptionsOf } from '../job-row.js';
import type { Schedule, ScheduleAtWork, SchedulePage, ScheduleStatus } from './schedule.js';
import type { scheduleColumns } from './schedules-schema.js';

export interface ScheduleRow extends RowOf<typeof scheduleColumns> {
  readonly status: ScheduleStatus;
  readonly busy?: number | boolean;
}

const month = 30 * 24 * 3_600_000;

export const timetableOf = ({ every, timezone }: Pick<ScheduleRow, 'every' | 'timezone'>) =>
  parseTimetable(every, timezone ?? defaultZone);

export function toSchedule(row: ScheduleRow, now: number): Schedule {
  const { anchor, next_at: next } = row;
  const runs = next === null ? 0 : countRuns(timetableOf(row), anchor, now, now + month);
  const price = row.total * row.credits;
  return {
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    endpoint: row.endpoint,
    ...lineOptionsOf(row),
    every: row.every,
    timezone: row.timezone ?? defaultZone,
    status: row.status,
    total: row.total,
    credits_per_run: price,
    runs_in_30_days: runs,
    credits_in_30_days: runs * price,
    ...(row.notify === null
      ? {}
      : { notify: (JSON.parse(row.notify) as readonly Target[]).map(shownTarget) }),
    webhook_url: row.webhook_url,
    next_run_at: isoOrNull(next),
    last_run: { at: isoTime(row.last), job: row.last_job, error: row.last_error },
    created_at: isoTime(row.created_at),
  };
}

/** Builds a page of schedules. One row more than the limit means that another page follows. */
export async function schedulePage(
  rows: readonly ScheduleRow[],
  limit: number,
  now: number,
): Promise<SchedulePage> {
  const schedules: Schedule[] = [];
  for (const row of rows.slice(0, limit)) {
    schedules.push(toSchedule(row, now));
    // A month's runs are counted one by one, so other work runs between two schedules.
    await accountTurns.next(row.account);
  }
  return { schedules, next: rows.length > limit ? (schedules.at(-1)?.id ?? null) : null };
}

export function toScheduleAtWork(row: ScheduleRow): ScheduleAtWork {
  return {
    id: row.id,
    account: row.account,
    key: keyOf(row),
    endpoint: row.endpoint,
    every: row.every,
    timezone: row.timezone ?? defaultZone,
    anchor: row.anchor,
    last: row.last,
    nextAt: row.next_at ?? 0,
    busy: Boolean(row.busy),
  };
}
