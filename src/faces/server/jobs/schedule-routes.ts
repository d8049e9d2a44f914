import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { integer } from '../../../../lib/params/vocabulary.js';
import type { KeyOwner } from '../../../service/accounts/accounts.js';
import {
  scheduleChangeObject,
  scheduleObject,
  scheduleRunObject,
} from '../../../service/jobs/job-objects.js';
import type { Schedule } from '../../../service/jobs/schedules/schedule.js';
import { apiRoute, pageOf, queryOf, serveRoute } from '../api-route.js';
import { cursorParam } from '../query.js';
import { type JobDependencies, jobIdOf } from './job-routes.js';

const listParams = { limit: integer(1, 100, 'Schedules a page.').default(20), cursor: cursorParam };

const changeParams = {
  limit: integer(1, 1000, 'Changes a page.').default(100),
  cursor: cursorParam,
  since: z
    .string()
    .regex(
      /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/,
      'must be such as 2026-11-01 or 2026-11-01T06:00:00Z',
    )
    .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a day or a moment that there is')
    .optional()
    .describe('Changes that were read at this time or later: `2026-11-01` or `2026-11-01T06:00:00Z`.'),
  field: z.string().min(1).max(200).optional().describe('Changes of this field alone, such as `rating`.'),
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
    summary: 'Run a schedule now, beside its times; refused while a run is under way',
    answer: { description: 'The schedule.', data: scheduleObject, status: 202 },
    refusals: [409],
  }),
  runs: apiRoute({
    method: 'get',
    path: '/schedules/{id}/runs',
    operationId: 'list_schedule_runs',
    summary: 'The runs of a schedule, newest first, with those that were missed',
    params: listParams,
    answer: { description: 'A page of runs.', data: scheduleRunObject, many: true, isPaged: true },
  }),
  changes: apiRoute({
    method: 'get',
    path: '/schedules/{id}/changes',
    operationId: 'list_schedule_changes',
    summary: 'What the runs of a schedule with `history` saw change, oldest first',
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

/** The actions on a schedule. */
const scheduleActions = ['pause', 'resume', 'end'] as const;

/** A key that is limited to platforms sees and changes the schedules of those platforms alone. */
export function isVisible({ platforms }: Pick<KeyOwner, 'platforms'>, { endpoint }: Schedule): boolean {
  return platforms === null || platforms.some((platform) => endpoint.startsWith(`${platform}/`));
}

/** Looking at, pausing, resuming and ending jobs that are made again and again. */
export function addScheduleRoutes(app: FastifyInstance, { jobs, services, access }: JobDependencies): void {
  const { schedules } = jobs;
  async function visible(owner: KeyOwner, id: string): Promise<Schedule> {
    const schedule = await schedules.find(owner.account, id);
    if (!isVisible(owner, schedule)) throw new ExtractError('schedule_not_found');
    return schedule;
  }

  serveRoute(app, services, scheduleRoutes.list, async (request, reply) => {
    const owner = await access.admit(request, reply);
    const { account } = owner;
    const { limit, cursor } = queryOf(scheduleRoutes.list, request);
    const { before, nextCursor } = await pageOf(services, ['schedules', account], cursor);
    const { schedules: page, next } = await schedules.list(account, limit, before);
    const data = page.filter((schedule) => isVisible(owner, schedule));
    return { account, data, next: nextCursor(next) };
  });

  serveRoute(app, services, scheduleRoutes.get, async (request, reply) => {
    const owner = await access.admit(request, reply);
    queryOf(scheduleRoutes.get, request);
    return { account: owner.account, data: await visible(owner, jobIdOf(request)) };
  });

  serveRoute(app, services, scheduleRoutes.runs, async (request, reply) => {
    const owner = await access.admit(request, reply);
    const { account } = owner;
    const { limit, cursor } = queryOf(scheduleRoutes.runs, request);
    const { id } = await visible(owner, jobIdOf(request));
    const { before, nextCursor } = await pageOf(services, ['schedule-runs', id], cursor);
    const position = before === undefined ? undefined : Number(before);
    const { runs, next } = await schedules.listRuns(account, id, limit, position);
    return { account, data: runs, next: nextCursor(next === null ? null : String(next)) };
  });

  serveRoute(app, services, scheduleRoutes.changes, async (request, reply) => {
    const owner = await access.admit(request, reply);
    const { limit, since = '', field = '', cursor } = queryOf(scheduleRoutes.changes, request);
    const { id } = await visible(owner, jobIdOf(request));
    const { before, nextCursor } = await pageOf(services, ['schedule-changes', id, since, field], cursor);
    const history = await schedules.readHistory(owner.account, id);
    const { changes, next } = await history.changes({
      limit,
      since: since === '' ? undefined : Date.parse(since),
      field: field === '' ? undefined : field,
      cursor: before === undefined ? undefined : Number(before),
    });
    return {
      account: owner.account,
      data: changes,
      next: nextCursor(next === null ? null : String(next)),
    };
  });

  serveRoute(app, services, scheduleRoutes.run, async (request, reply) => {
    const owner = await access.admit(request, reply);
    queryOf(scheduleRoutes.run, request);
    const { id } = await visible(owner, jobIdOf(request));
    const data = await schedules.runNow(owner.account, id);
    jobs.wake();
    return { account: owner.account, data };
  });

  for (const action of scheduleActions) {
    serveRoute(app, services, scheduleRoutes[action], async (request, reply) => {
      const owner = await access.admit(request, reply);
      queryOf(scheduleRoutes[action], request);
      const { id } = await visible(owner, jobIdOf(request));
      const data = await schedules[action](owner.account, id);
      jobs.wake();
      return { account: owner.account, data };
    });
  }
}
