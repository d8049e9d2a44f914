import type { FastifyInstance } from 'fastify';
import { integerText } from '../../../output/number-text.js';
import type { Account } from '../../../service/accounts/accounts.js';
import { maxEmailLength } from '../../../service/accounts/email-address.js';
import { type DashboardContext, redirectTo, viewerOf } from '../context.js';
import { type FormState, textFields } from '../forms.js';
import { PostForm, QuietLink, TextField } from '../parts/form.js';
import { Layout, settingsPage } from '../parts/layout.js';
import { Panel } from '../parts/panel.js';

interface DeleteProps extends FormState {
  readonly account: Account;
  readonly running: number;
}

/** Asks for the address to confirm the deletion of the account. */
function DeleteAccountPage({ account, running, ...form }: DeleteProps) {
  return (
    <Layout title="Delete the account?" above={[settingsPage]} lead="This cannot be undone.">
      <Panel title="What happens">
        <ul className="plain-list">
          <li>
            {running === 0
              ? 'No job is running.'
              : `${running === 1 ? 'One running job is' : `${running} running jobs are`} cancelled first.`}
          </li>
          <li>All keys stop working, and all browsers are signed out.</li>
          <li>
            You lose your {integerText(account.credits)} credits, and those refunded for cancelled jobs. They
            are not paid out.
          </li>
          <li>The results of your jobs are deleted: download them first.</li>
          <li>You can sign up again with the same address, but without trial credits.</li>
        </ul>
        <PostForm action="/dashboard/settings/delete" {...form}>
          <TextField
            name="email"
            label="Enter your e-mail address to confirm"
            hint={account.email}
            input={{ type: 'email', required: true, autoComplete: 'off', maxLength: maxEmailLength }}
          />
          <div className="row">
            <button className="danger" type="submit">
              Delete everything
            </button>
            <QuietLink href="/dashboard/settings">Keep the account</QuietLink>
          </div>
        </PostForm>
      </Panel>
    </Layout>
  );
}

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
      const problems = { email: 'This is not the address of this account. Nothing was deleted.' };
      return reply.sendPage(
        <DeleteAccountPage {...{ account, running, problems }} values={{ email }} />,
        400,
      );
    }
    await submitted.shared(request, () => hosting.deleteAccount(account.id));
    reply.clearCookie(cookies.session, cookies.options);
    return redirectTo(reply, '/sign-in', 'account-deleted');
  });
}
