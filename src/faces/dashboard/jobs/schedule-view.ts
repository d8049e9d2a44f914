import type { Endpoint } from '../../../../lib/endpoint.js';
import { chooseSeries, type NamedSeries, subjectsNamed } from '../../../files/history/choose-series.js';
import { maxLines } from '../../../files/history/plot/line-geometry.js';
import type { ChangePage, HistoryReader } from '../../../lines/memory/history.js';
import type { Jobs } from '../../../service/jobs/open-jobs.js';
import type { Schedule } from '../../../service/jobs/schedules/schedule.js';
import type { RunPage } from '../../../service/jobs/schedules/schedule-runs.js';
import { changeQuery, type ScheduleFilters, sinceOf } from './schedule-filters.js';

export interface SeenView {
  readonly lines: readonly NamedSeries[];
  /** Number of selected subjects; the first ones are charted. */
  readonly subjects: number;
  readonly changes: ChangePage;
}

export interface ScheduleView {
  readonly schedule: Schedule;
  /** Null for an endpoint that this version does not have. */
  readonly endpoint: Endpoint | null;
  readonly filters: ScheduleFilters;
  readonly runs: RunPage;
  /** Null if the schedule records no history. */
  readonly history: SeenView | null;
}

const changesShown = 25;
const runsShown = 10;

/** Returns the subjects and changes of an open history that match the filters. */
export async function selectSubjects(history: HistoryReader, filters: ScheduleFilters, now: number) {
  const { subject } = filters;
  const all = await history.subjects();
  const subjects = subject === undefined ? all : subjectsNamed(all, subject);
  const numbers = subject === undefined ? undefined : subjects.map(({ number }) => number);
  return { subjects, query: changeQuery(filters, numbers, sinceOf(filters, now)) };
}

async function seenView(
  history: HistoryReader,
  endpoints: readonly Endpoint[],
  filters: ScheduleFilters,
  now: number,
): Promise<SeenView> {
  const { subjects, query } = await selectSubjects(history, filters, now);
  const [lines, changes] = await Promise.all([
    chooseSeries(history, endpoints, {
      subjects: subjects.slice(0, maxLines),
      field: filters.field,
      since: query.since,
    }),
    history.changes({
      ...query,
      ...{ newestFirst: true, items: true, limit: changesShown, cursor: filters.before },
    }),
  ]);
  return { lines, subjects: subjects.length, changes };
}

/** Rejects with `schedule_not_found`. */
export async function scheduleView(
  { schedules, endpoints }: Pick<Jobs, 'schedules' | 'endpoints'>,
  account: string,
  id: string,
  filters: ScheduleFilters,
  now: number,
): Promise<ScheduleView> {
  const schedule = await schedules.find(account, id);
  const runs = await schedules.listRuns(account, id, runsShown, filters.runs);
  const isRecorded = schedule.history === true && schedule.status !== 'ended';
  return {
    ...{ schedule, filters, runs },
    endpoint: endpoints.find(({ path }) => path === schedule.endpoint) ?? null,
    history: isRecorded
      ? await seenView(await schedules.readHistory(account, id), endpoints, filters, now)
      : null,
  };
}
