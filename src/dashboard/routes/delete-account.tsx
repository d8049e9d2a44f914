import type { FastifyInstance } from 'fastify';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { type DashboardContext, frameOf, redirectTo, viewerOf } from '../context.js';
import { textFields } from '../forms.js';
import { DeleteAccountPage } from '../pages/settings/delete-account.js';
import { sendPage } from '../send-page.js';

/** The end of an account. */
export function addDeleteAccountRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { hosting, jobs, cookies } = context;

  function runningJobs(account: string): readonly string[] {
    const all = jobs.store.unfinished();
    return all.filter((job) => job.account === account && job.status !== 'cancelled').map(({ id }) => id);
  }

  async function cancelJobs(account: string): Promise<void> {
    for (const id of runningJobs(account)) {
      try {
        await jobs.store.cancel(account, id);
      } catch (error) {
        // It has ended by itself.
        if (!(error instanceof ExtractError) || error.code !== 'job_already_finished') throw error;
      }
    }
    jobs.look();
  }

  app.get('/settings/delete', async (request, reply) => {
    const { account } = viewerOf(request);
    const running = runningJobs(account.id).length;
    return sendPage(
      reply,
      <DeleteAccountPage frame={frameOf(context, request, reply)} {...{ account, running }} />,
    );
  });

  app.post('/settings/delete', async (request, reply) => {
    const { account } = viewerOf(request);
    const { email = '' } = textFields(request.body);
    if (email.trim().toLowerCase() !== account.email) {
      const running = runningJobs(account.id).length;
      const frame = frameOf(context, request, reply);
      const problem = 'This is not the address of this account. Nothing was deleted.';
      return sendPage(
        reply,
        <DeleteAccountPage {...{ frame, account, running, problem }} typed={email} />,
        400,
      );
    }
    await cancelJobs(account.id);
    await hosting.deleteAccount(account.id);
    // Its keys were still good until now.
    await cancelJobs(account.id);
    reply.clearCookie(cookies.session, cookies.options);
    return redirectTo(reply, '/sign-in', 'account-deleted');
  });
}
