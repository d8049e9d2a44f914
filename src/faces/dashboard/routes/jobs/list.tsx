import type { FastifyInstance } from 'fastify';
import type { Jobs } from '../../../../service/jobs/open-jobs.js';
import { type DashboardContext, viewerOf } from '../../context.js';
import { JobsPage } from '../../pages/jobs/list.js';

const pageSize = 25;

export function addJobListRoute(app: FastifyInstance, _context: DashboardContext, jobs: Jobs): void {
  app.get('/jobs', async (request, reply) => {
    const { account } = viewerOf(request);
    const { before } = request.query as { readonly before?: unknown };
    // Any value is safe, because the list only contains this account's jobs.
    const from = typeof before === 'string' ? before : undefined;
    const { jobs: page, next } = await jobs.store.list(account.id, pageSize, from);
    return reply.sendPage(
      <JobsPage
        jobs={page}
        isLater={from !== undefined}
        next={next === null ? null : `/dashboard/jobs?before=${next}`}
      />,
    );
  });
}
