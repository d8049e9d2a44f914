import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DashboardContext, Viewer } from './context.js';
import { sessionSeconds } from './cookies.js';

/** Returns the viewer of a request's session and renews the cookie; null without a session. */
export async function findViewer(
  { hosting, cookies }: DashboardContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Viewer | null> {
  const secret = request.cookies[cookies.session];
  const session = secret === undefined ? null : await hosting.signIn.findSession(secret);
  const account = session === null ? null : await hosting.accounts.find(session.email);
  if (secret === undefined || session === null || account === null) return null;
  reply.setCookie(cookies.session, secret, { ...cookies.options, maxAge: sessionSeconds });
  return { account, session };
}
