import type { FastifyInstance } from 'fastify';
import { type DashboardContext, goTo, viewerOf } from '../context.js';

/** Ends the session that asks for it. */
export function addSignOutRoute(app: FastifyInstance, { desk, cookies }: DashboardContext): void {
  app.post('/sign-out', async (request, reply) => {
    const { account, session } = viewerOf(request);
    await desk.signIn.end(account.id, session.id);
    reply.clearCookie(cookies.session, cookies.options);
    return goTo(reply, '/sign-in', 'signed-out');
  });
}
