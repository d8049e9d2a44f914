import type { FastifyInstance } from 'fastify';
import { type DashboardContext, redirectTo, viewerOf } from '../context.js';
import { textFields } from '../forms.js';
import { DeleteAccountPage } from '../pages/settings/delete-account.js';

export function addDeleteAccountRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, jobs, cookies, submitted } = context;

  app.get('/settings/delete', async (request, reply) => {
    const { account } = viewerOf(request);
    const running = await jobs.store.countActive(account.id);
    return reply.sendPage(<DeleteAccountPage {...{ account, running }} />);
  });

  app.post('/settings/delete', async (request, reply) => {
    const { account } = viewerOf(request);
    const { email = '' } = textFields(request.body);
    if (email.trim().toLowerCase() !== account.email) {
      const running = await jobs.store.countActive(account.id);
      const problem = 'This is not the address of this account. Nothing was deleted.';
      return reply.sendPage(<DeleteAccountPage {...{ account, running, problem }} typed={email} />, 400);
    }
    await submitted.shared(request, () => hosting.deleteAccount(account.id));
    reply.clearCookie(cookies.session, cookies.options);
    return redirectTo(reply, '/sign-in', 'account-deleted');
  });
}
