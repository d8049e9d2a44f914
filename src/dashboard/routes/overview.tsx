import type { FastifyInstance } from 'fastify';
import { usagePage } from '../../../lib/ledger/sqlite/usage.js';
import { type DashboardContext, frameOf, viewerOf } from '../context.js';
import { dayAfter, dayOf } from '../days.js';
import { OverviewPage } from '../pages/overview.js';
import { show } from '../show.js';
import { spendOf } from '../spend.js';

const days = 30;
const mostRefusals = 5;

/** The first page of an account. */
export function addOverviewRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { books, desk, services } = context;
  app.get('/', async (request, reply) => {
    const { account } = viewerOf(request);
    const today = dayOf(services.clock.now());
    const spend = spendOf(context, account.id, dayAfter(today, 1 - days), today);
    const { rows: refusals } = usagePage(books.db, account.id, { status: 'failed', limit: mostRefusals });
    const keys = await desk.accounts.keys(account.id);
    const hasKey = keys.some(({ revoked_at }) => revoked_at === null);
    const frame = frameOf(context, request, reply);
    return show(reply, <OverviewPage {...{ frame, account, spend, refusals, hasKey }} />);
  });
}
