import type { FastifyInstance } from 'fastify';
import { type DashboardContext, frameOf, viewerOf } from '../context.js';
import { OverviewPage } from '../pages/overview.js';
import { show } from '../show.js';

/** The first page of an account. */
export function addOverviewRoutes(app: FastifyInstance, context: DashboardContext): void {
  app.get('/', async (request, reply) => {
    const { account } = viewerOf(request);
    return show(reply, <OverviewPage frame={frameOf(context, request, reply)} account={account} />);
  });
}
