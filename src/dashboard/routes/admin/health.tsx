import type { FastifyInstance } from 'fastify';
import { endpointHealth } from '../../../usage/endpoint-health.js';
import { type DashboardContext, frameOf } from '../../context.js';
import { HealthPage } from '../../pages/admin/health.js';
import { AdminJobsPage } from '../../pages/admin/jobs.js';
import { sendPage } from '../../send-page.js';

/** Jobs that are shown. */
const maxJobs = 200;

/** How the server is doing, and what it has to do. */
export function addHealthRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { health, hosting, jobs, metrics, services, usage } = context;
  const { clock } = services;
  const started = clock.now();

  app.get('/', async (request, reply) => {
    const [disk, endpoints, accounts, unfinished] = await Promise.all([
      usage.diskSpace(),
      endpointHealth(metrics.registry),
      hosting.accounts.count(),
      jobs.store.overview(0),
    ]);
    return sendPage(
      reply,
      <HealthPage
        frame={frameOf(context, request, reply)}
        since={new Date(started).toISOString()}
        upMs={clock.now() - started}
        jobs={unfinished.total}
        states={new Map(health.reports().map(({ endpoint, state }) => [endpoint, state]))}
        {...{ accounts, disk, endpoints }}
      />,
    );
  });

  app.get('/jobs', async (request, reply) => {
    const frame = frameOf(context, request, reply);
    const { total, oldest } = await jobs.store.overview(maxJobs);
    const lines = await Promise.all(
      oldest.map(async (line) => ({
        ...line,
        email: (await hosting.accounts.get(line.account))?.email ?? null,
      })),
    );
    return sendPage(reply, <AdminJobsPage frame={frame} jobs={lines} count={total} />);
  });
}
