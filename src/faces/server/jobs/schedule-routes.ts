import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { firstPosition, openCursor, sealCursor } from '../../../../lib/call/cursor.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { parseParams } from '../../../../lib/params/parse.js';
import { parseQuery, queryText } from '../../../../lib/params/query.js';
import { integer } from '../../../../lib/params/vocabulary.js';
import type { KeyOwner } from '../../../service/accounts/accounts.js';
import type { Schedule } from '../../../service/jobs/schedules/schedule.js';
import { cursorParam } from '../query.js';
import { type JobDependencies, jobIdOf, withoutParameters } from './job-routes.js';

/** Parameters of the list of schedules. */
export const scheduleListParams = {
  limit: integer(1, 100, 'Schedules a page.').default(20),
  cursor: cursorParam,
};

const listRoute = { path: 'schedules', params: scheduleListParams, exactlyOne: null, renamed: {} };

type ListParams = {
  readonly [Name in keyof typeof scheduleListParams]: z.output<(typeof scheduleListParams)[Name]>;
};

/** Parameters of the changes of a schedule. */
export const scheduleChangeParams = {
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

type ChangeParams = {
  readonly [Name in keyof typeof scheduleChangeParams]: z.output<(typeof scheduleChangeParams)[Name]>;
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
  const metaOf = async (request: FastifyRequest, account: string) => ({
    request_id: request.id,
    credits_remaining: (await services.ledger.balance(account)).credits,
  });

  /** The position of a page of a list, and what makes the cursor of the next one. */
  async function paged(list: readonly string[], cursor: string | undefined) {
    const secret = await services.secret();
    const binding = createHash('sha256').update(JSON.stringify(list)).digest('base64url');
    const now = services.clock.now();
    const { position } = cursor === undefined ? firstPosition : openCursor(secret, binding, cursor, now);
    return {
      before: typeof position === 'string' ? position : undefined,
      nextCursor: (next: string | null) =>
        next === null ? null : sealCursor(secret, binding, { position: next, seen: [] }, now),
    };
  }

  async function visible(owner: KeyOwner, id: string): Promise<Schedule> {
    const schedule = await schedules.find(owner.account, id);
    if (!isVisible(owner, schedule)) throw new ExtractError('schedule_not_found');
    return schedule;
  }

  app.get('/v1/schedules', async (request, reply) => {
    const owner = await access.admit(request, reply);
    const { account } = owner;
    const { limit, cursor } = parseParams(listRoute, parseQuery(queryText(request)), true) as ListParams;
    const { before, nextCursor } = await paged(['schedules', account], cursor);
    const { schedules: page, next } = await schedules.list(account, limit, before);
    reply.header('Cache-Control', 'no-store');
    return {
      data: page.filter((schedule) => isVisible(owner, schedule)),
      meta: { ...(await metaOf(request, account)), next_cursor: nextCursor(next) },
    };
  });

  app.get('/v1/schedules/:id', async (request, reply) => {
    const owner = await access.admit(request, reply);
    withoutParameters(request, 'schedules/{id}');
    reply.header('Cache-Control', 'no-store');
    return { data: await visible(owner, jobIdOf(request)), meta: await metaOf(request, owner.account) };
  });

  app.get('/v1/schedules/:id/runs', async (request, reply) => {
    const owner = await access.admit(request, reply);
    const route = { ...listRoute, path: 'schedules/{id}/runs' };
    const params = parseParams(route, parseQuery(queryText(request)), true) as ListParams;
    const { id } = await visible(owner, jobIdOf(request));
    const { before, nextCursor } = await paged(['schedule-runs', id], params.cursor);
    const { runs, next } = await schedules.listRuns(
      owner.account,
      id,
      params.limit,
      before === undefined ? undefined : Number(before),
    );
    reply.header('Cache-Control', 'no-store');
    const meta = await metaOf(request, owner.account);
    return { data: runs, meta: { ...meta, next_cursor: nextCursor(next === null ? null : String(next)) } };
  });

  app.get('/v1/schedules/:id/changes', async (request, reply) => {
    const owner = await access.admit(request, reply);
    const route = { ...listRoute, path: 'schedules/{id}/changes', params: scheduleChangeParams };
    const params = parseParams(route, parseQuery(queryText(request)), true) as ChangeParams;
    const { id } = await visible(owner, jobIdOf(request));
    const { limit, since = '', field = '' } = params;
    const { before, nextCursor } = await paged(['schedule-changes', id, since, field], params.cursor);
    const history = await schedules.readHistory(owner.account, id);
    const { changes, next } = await history.changes({
      limit,
      since: since === '' ? undefined : Date.parse(since),
      field: field === '' ? undefined : field,
      cursor: before === undefined ? undefined : Number(before),
    });
    reply.header('Cache-Control', 'no-store');
    const meta = await metaOf(request, owner.account);
    return {
      data: changes,
      meta: { ...meta, next_cursor: nextCursor(next === null ? null : String(next)) },
    };
  });

  app.post('/v1/schedules/:id/run', async (request, reply) => {
    const owner = await access.admit(request, reply);
    withoutParameters(request, 'schedules/{id}/run');
    const { id } = await visible(owner, jobIdOf(request));
    const data = await schedules.runNow(owner.account, id);
    jobs.wake();
    reply.code(202).header('Cache-Control', 'no-store');
    return { data, meta: await metaOf(request, owner.account) };
  });

  for (const action of scheduleActions) {
    app.post(`/v1/schedules/:id/${action}`, async (request, reply) => {
      const owner = await access.admit(request, reply);
      withoutParameters(request, `schedules/{id}/${action}`);
      const { id } = await visible(owner, jobIdOf(request));
      const data = await schedules[action](owner.account, id);
      jobs.wake();
      reply.header('Cache-Control', 'no-store');
      return { data, meta: await metaOf(request, owner.account) };
    });
  }
}
