import type { FastifyInstance } from 'fastify';
import { type DashboardContext, frameOf, goTo, viewerOf } from '../context.js';
import { typed } from '../forms.js';
import { DeleteAccountPage } from '../pages/settings/delete-account.js';
import { show } from '../show.js';

/** The end of an account. */
export function addDeleteAccountRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { desk, jobs, cookies } = context;

  app.get('/settings/delete', async (request, reply) => {
    const { account } = viewerOf(request);
    const running = await jobs.store.countActive(account.id);
    return show(
      reply,
      <DeleteAccountPage frame={frameOf(context, request, reply)} {...{ account, running }} />,
    );
  });

  app.post('/settings/delete', async (request, reply) => {
    const { account } = viewerOf(request);
    const { email = '' } = typed(request.body);
    if (email.trim().toLowerCase() !== account.email) {
      const running = await jobs.store.countActive(account.id);
      const frame = frameOf(context, request, reply);
      const problem = 'This is not the address of this account. Nothing was deleted.';
      return show(reply, <DeleteAccountPage {...{ frame, account, running, problem }} typed={email} />, 400);
    }
    await desk.deleteAccount(account.id);
    reply.clearCookie(cookies.session, cookies.options);
    return goTo(reply, '/sign-in', 'account-deleted');
  });
}
