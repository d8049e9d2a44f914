import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { integer, moment } from '../../../../lib/params/vocabulary.js';
import type { Platform } from '../../../../lib/platforms.js';
import type { KeyOwner } from '../../../service/accounts/accounts.js';
import {
  scheduleChangeObject,
  scheduleObject,
  scheduleRunObject,
} from '../../../service/jobs/job-objects.js';
import type { Schedule } from '../../../service/jobs/schedules/schedule.js';
import { apiRoute, pageOf, serveRoute } from '../api-route.js';
import { cursorParam } from '../query.js';
import type { JobDependencies } from './job-routes.js';

const listParams = { limit: integer(1, 100, 'Schedules a page.').default(20), cursor: cursorParam };

const changeParams = {
  limit: integer(1, 1000, 'Changes a page.').default(100),
  cursor: cursorParam,
  since: moment('Changes read at this time or later: `2026-11-01` or `2026-11-01T06:00:00Z`.').optional(),
  field: z.string().min(1).max(200).optional().describe('Only changes of this field, such as `rating`.'),
};

export const scheduleRoutes = {
  list: apiRoute({
    method: 'get',
    path: '/schedules',
    operationId: 'list_schedules',
    summary: 'The schedules of the account, newest first',
    params: listParams,
    answer: { description: 'A page of schedules.', data: scheduleObject, many: true, isPaged: true },
  }),
  get: apiRoute({
    method: 'get',
    path: '/schedules/{id}',
    operationId: 'get_schedule',
    summary: 'A schedule',
    answer: { description: 'The schedule.', data: scheduleObject },
  }),
  pause: apiRoute({
    method: 'post',
    path: '/schedules/{id}/pause',
    operationId: 'pause_schedule',
    summary: 'Pause a schedule: no further jobs until it is resumed; running jobs continue',
    answer: { description: 'The schedule.', data: scheduleObject },
    refusals: [409],
  }),
  resume: apiRoute({
    method: 'post',
    path: '/schedules/{id}/resume',
    operationId: 'resume_schedule',
    summary: 'Resume a schedule with its next run; missed runs are not made up',
    answer: { description: 'The schedule.', data: scheduleObject },
    refusals: [409],
  }),
  run: apiRoute({
    method: 'post',
    path: '/schedules/{id}/run',
    operationId: 'run_schedule',
    summary: 'Run a schedule now, in addition to its times; refused while a run is in progress',
    answer: { description: 'The schedule.', data: scheduleObject, status: 202 },
    refusals: [409],
  }),
  runs: apiRoute({
    method: 'get',
    path: '/schedules/{id}/runs',
    operationId: 'list_schedule_runs',
    summary: 'The runs of a schedule, newest first, with missed ones',
    params: listParams,
    answer: { description: 'A page of runs.', data: scheduleRunObject, many: true, isPaged: true },
  }),
  changes: apiRoute({
    method: 'get',
    path: '/schedules/{id}/changes',
    operationId: 'list_schedule_changes',
    summary: 'The changes that a schedule with `history` recorded, oldest first',
    params: changeParams,
    answer: { description: 'A page of changes.', data: scheduleChangeObject, many: true, isPaged: true },
  }),
  end: apiRoute({
    method: 'post',
    path: '/schedules/{id}/end',
    operationId: 'end_schedule',
    summary: 'End a schedule for good and delete its inputs and its history; running jobs continue',
    answer: { description: 'The schedule.', data: scheduleObject },
  }),
};

/**
 * Returns an account's schedule. Rejects `schedule_not_found`, also for one of a platform that the key may not call.
 */
export async function findSchedule(
  { jobs }: Pick<JobDependencies, 'jobs'>,
  { account, platforms }: KeyOwner,
  id: string,
): Promise<Schedule> {
  const schedule = await jobs.schedules.find(account, id);
  const platform = schedule.endpoint.split('/', 1)[0] as Platform;
  if (platforms?.includes(platform) === false) throw new ExtractError('schedule_not_found');
  return schedule;
}

/** Adds the routes that show, pause, resume and end recurring jobs. */
export function addScheduleRoutes(app: FastifyInstance, dependencies: JobDependencies): void {
  const { jobs, services } = dependencies;
  const { schedules } = jobs;

  serveRoute(app, dependencies, scheduleRoutes.list, async ({ owner: { account, platforms }, query }) => {
    const { before, nextCursor } = await pageOf(services, ['schedules', account], query.cursor);
    const { schedules: data, next } = await schedules.list(account, query.limit, before, platforms);
    return { data, next: nextCursor(next) };
  });

  serveRoute(app, dependencies, scheduleRoutes.get, async ({ owner, id }) => ({
    data: await findSchedule(dependencies, owner, id),
  }));

  serveRoute(app, dependencies, scheduleRoutes.runs, async ({ owner, query, ...path }) => {
    const { id } = await findSchedule(dependencies, owner, path.id);
    const { before, nextCursor } = await pageOf(services, ['schedule-runs', id], query.cursor);
    const position = before === undefined ? undefined : Number(before);
    const { runs, next } = await schedules.listRuns(owner.account, id, query.limit, position);
    return { data: runs, next: nextCursor(next === null ? null : String(next)) };
  });

  serveRoute(app, dependencies, scheduleRoutes.changes, async ({ owner, query, ...path }) => {
    const { limit, since = '', field = '', cursor } = query;
    const { id } = await findSchedule(dependencies, owner, path.id);
    const { before, nextCursor } = await pageOf(services, ['schedule-changes', id, since, field], cursor);
    const history = await schedules.readHistory(owner.account, id);
    const { changes, next } = await history.changes({
      limit,
      since: since === '' ? undefined : Date.parse(since),
      field: field === '' ? undefined : field,
      cursor: before === undefined ? undefined : Number(before),
    });
    return { data: changes, next: nextCursor(next === null ? null : String(next)) };
  });

  for (const [action, act] of [
    ['pause', schedules.pause],
    ['resume', schedules.resume],
    ['run', schedules.runNow],
    ['end', schedules.end],
  ] as const) {
    serveRoute(app, dependencies, scheduleRoutes[action], async ({ owner, id }) => {
      const schedule = await findSchedule(dependencies, owner, id);
      const data = await act.call(schedules, owner.account, schedule.id);
      jobs.wake();
      return { data };
    });
  }
}
