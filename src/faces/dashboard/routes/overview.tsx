import type { FastifyInstance } from 'fastify';
import { activeKeys } from '../active-keys.js';
import { type DashboardContext, viewerOf } from '../context.js';
import { dayAfter, dayOf } from '../days.js';
import { OverviewPage } from '../pages/overview.js';
import { spendOf } from '../spend.js';

const days = 30;
const maxFailures = 5;

export function addOverviewRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { health, jobs, services, usage } = context;
  app.get('/', async (request, reply) => {
    const { account } = viewerOf(request);
    const today = dayOf(services.clock.now());
    const [spend, { rows: failures }, keys, bytes] = await Promise.all([
      spendOf(usage, account.id, dayAfter(today, 1 - days), today),
      usage.listCalls(account.id, { status: 'failed', limit: maxFailures }),
      activeKeys(context, account.id),
      jobs.storage.of(account.id),
    ]);
    const hasKey = keys.length > 0;
    return reply.sendPage(
      <OverviewPage
        {...{ account, spend, failures, hasKey }}
        stored={{ bytes, limit: jobs.accountBytes }}
        reports={health.reports()}
      />,
    );
  });
}
