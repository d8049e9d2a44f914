import type { FastifyInstance } from 'fastify';
import { type DashboardContext, redirectTo, viewerOf } from '../context.js';

/** Ends the session that asks for it. */
export function addSignOutRoute(app: FastifyInstance, { hosting, cookies }: DashboardContext): void {
  app.post('/sign-out', async (request, reply) => {
    const { account, session } = viewerOf(request);
    await hosting.signIn.end(account.id, session.id);
    reply.clearCookie(cookies.session, cookies.options);
    return redirectTo(reply, '/sign-in', 'signed-out');
  });
}
