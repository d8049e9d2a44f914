import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { changeRows } from '../../../../files/history/change-rows.js';
import { type ChangeFormat, changeFormats, exportChanges } from '../../../../files/history/export-changes.js';
import { type DashboardContext, type OfId, redirectTo, viewerOf } from '../../context.js';
import { scheduleAddress, scheduleFilters } from '../../jobs/schedule-filters.js';
import { scheduleView, selectSubjects } from '../../jobs/schedule-view.js';
import { EndSchedulePage, SchedulePage } from '../../pages/jobs/schedule.js';

/** One schedule: its page, the exports of its changes, and its end. */
export function addScheduleRoute(app: FastifyInstance, { jobs, services }: DashboardContext): void {
  const { clock } = services;

  app.get<OfId>('/schedules/:id', async (request, reply) => {
    const { account } = viewerOf(request);
    const filters = scheduleFilters.parse(request.query);
    const view = await scheduleView(jobs, account.id, request.params.id, filters, clock.now());
    return reply.sendPage(<SchedulePage view={view} />);
  });

  for (const format of Object.keys(changeFormats) as ChangeFormat[]) {
    app.get<OfId>(`/schedules/:id/changes.${format}`, async (request, reply) => {
      const { id } = request.params;
      const history = await jobs.schedules.readHistory(viewerOf(request).account.id, id);
      const { query } = await selectSubjects(history, scheduleFilters.parse(request.query), clock.now());
      const texts = exportChanges(changeRows(history, query), format);
      return reply
        .type(changeFormats[format])
        .header('Content-Disposition', `attachment; filename="${id}-changes.${format}"`)
        .send(Readable.from(texts, { objectMode: false }));
    });
  }

  app.get<OfId>('/schedules/:id/end', async (request, reply) => {
    const schedule = await jobs.schedules.find(viewerOf(request).account.id, request.params.id);
    if (schedule.status === 'ended') return redirectTo(reply, scheduleAddress(schedule.id, {}));
    return reply.sendPage(<EndSchedulePage schedule={schedule} />);
  });
}
