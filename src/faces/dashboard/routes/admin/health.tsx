import type { FastifyInstance } from 'fastify';
import { dayMs } from '../../../../../lib/runtime/clock.js';
import { unlessUnusable } from '../../../../../lib/web/pace-store.js';
import type { Monitoring } from '../../../../service/monitoring/monitoring.js';
import { endpointHealth } from '../../../../service/usage/endpoint-health.js';
import type { DashboardContext } from '../../context.js';
import { HealthPage } from '../../pages/admin/health.js';
import { AdminJobsPage } from '../../pages/admin/jobs.js';
import type { MonitoringView } from '../../pages/admin/monitoring.js';
import { PlatformsPage } from '../../pages/admin/platforms.js';

const platformDays = 30;

const maxJobs = 200;

async function monitoringView(monitoring: Monitoring): Promise<MonitoringView> {
  const [coolDowns, queue, webhooks, orders, storage, files] = await Promise.all([
    // If other processes' cool-downs cannot be read, the page shows the rest.
    unlessUnusable(monitoring.coolDowns()),
    monitoring.queue(),
    monitoring.failedWebhooks(),
    monitoring.openOrders(),
    monitoring.storage(),
    monitoring.files(),
  ]);
  const now = { calls: monitoring.calls(), loop: monitoring.loop(), mails: monitoring.mails() };
  return { ...now, coolDowns: coolDowns ?? null, queue, webhooks, orders, storage, files };
}

/** The health and the workload of the server. */
export function addHealthRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { health, hosting, jobs, metrics, monitoring, services, usage } = context;
  const { clock } = services;
  const started = clock.now();

  app.get('/', async (_request, reply) => {
    const [disk, endpoints, accounts, unfinished, view] = await Promise.all([
      usage.measureDiskSpace(),
      endpointHealth(metrics.registry),
      hosting.accounts.count(),
      jobs.store.summarizeUnfinished(0),
      monitoringView(monitoring),
    ]);
    return reply.sendPage(
      <HealthPage
        monitoring={view}
        since={new Date(started).toISOString()}
        upMs={clock.now() - started}
        jobs={unfinished.total}
        states={new Map(health.reports().map(({ endpoint, state }) => [endpoint, state]))}
        {...{ accounts, disk, endpoints }}
      />,
    );
  });

  app.get('/platforms', async (_request, reply) => {
    const since = new Date(clock.now() - (platformDays - 1) * dayMs).toISOString().slice(0, 10);
    const days = await unlessUnusable(monitoring.platformDays(since));
    return reply.sendPage(<PlatformsPage days={days ?? null} />);
  });

  app.get('/jobs', async (_request, reply) => {
    const { total, oldest } = await jobs.store.summarizeUnfinished(maxJobs);
    const lines = await Promise.all(
      oldest.map(async (line) => ({
        ...line,
        email: (await hosting.accounts.get(line.account))?.email ?? null,
      })),
    );
    return reply.sendPage(<AdminJobsPage jobs={lines} count={total} />);
  });
}
