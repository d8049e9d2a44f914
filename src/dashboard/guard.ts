import type { FastifyInstance } from 'fastify';
import { type DashboardContext, redirectTo } from './context.js';
import { sessionSeconds } from './cookies.js';

/** Redirects requests without a session to the sign-in page, which leads back afterwards. */
export function addGuard(app: FastifyInstance, { hosting, cookies }: DashboardContext): void {
  app.addHook('onRequest', async (request, reply) => {
    const secret = request.cookies[cookies.session];
    const session = secret === undefined ? null : await hosting.signIn.session(secret);
    const account = session === null ? null : await hosting.accounts.find(session.email);
    if (secret === undefined || session === null || account === null) {
      const wanted = request.method === 'GET' ? request.url : '/dashboard';
      return redirectTo(reply, `/sign-in?next=${encodeURIComponent(wanted)}`);
    }
    request.viewer = { account, session };
    reply.setCookie(cookies.session, secret, { ...cookies.options, maxAge: sessionSeconds });
  });
}
