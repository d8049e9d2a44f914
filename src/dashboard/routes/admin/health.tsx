import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { AccountOverview } from '../../../accounts/sqlite/account-overview.js';
import { JobOverview } from '../../../jobs/sqlite/job-overview.js';
import { diskSpace } from '../../../server/health/disk-space.js';
import { endpointHealth } from '../../../server/health/endpoint-health.js';
import { type DashboardContext, frameOf } from '../../context.js';
import { HealthPage } from '../../pages/admin/health.js';
import { AdminJobsPage } from '../../pages/admin/jobs.js';
import { show } from '../../show.js';

/** Jobs that are shown. */
const mostJobs = 200;

/** How the server is doing, and what it has to do. */
export function addHealthRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { books, metrics, services } = context;
  const { clock } = services;
  const home = path.dirname(books.db.name);
  const accounts = new AccountOverview(books.db);
  const jobs = new JobOverview(books.db);
  const started = clock.now();

  app.get('/', async (request, reply) => {
    const [disk, endpoints] = await Promise.all([diskSpace(home), endpointHealth(metrics.registry)]);
    return show(
      reply,
      <HealthPage
        frame={frameOf(context, request, reply)}
        since={new Date(started).toISOString()}
        upMs={clock.now() - started}
        accounts={accounts.count()}
        jobs={jobs.count()}
        {...{ disk, endpoints }}
      />,
    );
  });

  app.get('/jobs', async (request, reply) => {
    const frame = frameOf(context, request, reply);
    return show(reply, <AdminJobsPage frame={frame} jobs={jobs.first(mostJobs)} count={jobs.count()} />);
  });
}
