import path from 'node:path';
import type { FastifyInstance } from 'fastify';
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
  const { books, desk, jobs, metrics, services } = context;
  const { clock } = services;
  const home = path.dirname(books.db.name);
  const started = clock.now();

  app.get('/', async (request, reply) => {
    const [disk, endpoints, accounts, unfinished] = await Promise.all([
      diskSpace(home),
      endpointHealth(metrics.registry),
      desk.accounts.count(),
      jobs.store.overview(0),
    ]);
    return show(
      reply,
      <HealthPage
        frame={frameOf(context, request, reply)}
        since={new Date(started).toISOString()}
        upMs={clock.now() - started}
        jobs={unfinished.total}
        {...{ accounts, disk, endpoints }}
      />,
    );
  });

  app.get('/jobs', async (request, reply) => {
    const frame = frameOf(context, request, reply);
    const { total, oldest } = await jobs.store.overview(mostJobs);
    const lines = await Promise.all(
      oldest.map(async (line) => ({
        ...line,
        email: (await desk.accounts.get(line.account))?.email ?? null,
      })),
    );
    return show(reply, <AdminJobsPage frame={frame} jobs={lines} count={total} />);
  });
}
