import type { FastifyInstance } from 'fastify';
import { endpointHealth } from '../../../server/health/endpoint-health.js';
import { type DashboardContext, frameOf } from '../../context.js';
import { HealthPage } from '../../pages/admin/health.js';
import { AdminJobsPage } from '../../pages/admin/jobs.js';
import { sendPage } from '../../send-page.js';

/** Jobs that are shown. */
const maxJobs = 200;

/** How the server is doing, and what it has to do. */
export function addHealthRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { usage, metrics, services } = context;
  const { clock } = services;
  const started = clock.now();

  app.get('/', async (request, reply) => {
    const [disk, endpoints, accounts, jobs] = await Promise.all([
      usage.diskSpace(),
      endpointHealth(metrics.registry),
      usage.countAccounts(),
      usage.countUnfinishedJobs(),
    ]);
    return sendPage(
      reply,
      <HealthPage
        frame={frameOf(context, request, reply)}
        since={new Date(started).toISOString()}
        upMs={clock.now() - started}
        {...{ disk, endpoints, accounts, jobs }}
      />,
    );
  });

  app.get('/jobs', async (request, reply) => {
    const frame = frameOf(context, request, reply);
    const [jobs, count] = await Promise.all([usage.unfinishedJobs(maxJobs), usage.countUnfinishedJobs()]);
    return sendPage(reply, <AdminJobsPage {...{ frame, jobs, count }} />);
  });
}
