import type { FastifyInstance } from 'fastify';
import { type ErrorCode, ExtractError } from '../../../../../lib/errors/extract-error.js';
import type { BannerCode } from '../../banners.js';
import { type DashboardContext, type OfId, redirectTo, viewerOf } from '../../context.js';
import { scheduleAddress } from '../../jobs/schedule-filters.js';
import { SchedulesPage } from '../../pages/jobs/schedules.js';

const pageSize = 25;

const banners = {
  pause: 'schedule-paused',
  resume: 'schedule-resumed',
  runNow: 'schedule-run',
  end: 'schedule-ended',
} as const;

/** Errors of actions that another tab has made impossible. */
const overtakenBy: Partial<Record<ErrorCode, BannerCode>> = {
  schedule_ended: 'schedule-ended',
  job_not_finished: 'schedule-busy',
  invalid_parameter: 'schedule-on-pause',
};

export function addScheduleRoutes(app: FastifyInstance, { jobs }: DashboardContext): void {
  app.get('/schedules', async (request, reply) => {
    const { account } = viewerOf(request);
    const { before } = request.query as { readonly before?: unknown };
    const from = typeof before === 'string' ? before : undefined;
    const { schedules, next } = await jobs.schedules.list(account.id, pageSize, from);
    const later = next === null ? null : `/dashboard/schedules?before=${next}`;
    return reply.sendPage(<SchedulesPage {...{ schedules }} isLater={from !== undefined} next={later} />);
  });

  for (const action of ['pause', 'resume', 'runNow', 'end'] as const) {
    const name = action === 'runNow' ? 'run' : action;
    app.post<OfId>(`/schedules/:id/${name}`, async (request, reply) => {
      const { id } = request.params;
      const address = scheduleAddress(id, {});
      try {
        await jobs.schedules[action](viewerOf(request).account.id, id);
      } catch (error) {
        const overtaken = error instanceof ExtractError ? overtakenBy[error.code] : undefined;
        if (overtaken === undefined) throw error;
        return redirectTo(reply, address, overtaken);
      }
      jobs.wake();
      return redirectTo(reply, address, banners[action]);
    });
  }
}
