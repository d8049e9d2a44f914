import { integerText } from '../../../../output/number-text.js';
import type { Account } from '../../../../service/accounts/accounts.js';
import { maxEmailLength } from '../../../../service/accounts/email-address.js';
import { PostForm, TextField } from '../../parts/form.js';
import { Layout } from '../../parts/layout.js';
import { Panel } from '../../parts/panel.js';

interface DeleteProps {
  readonly account: Account;
  readonly running: number;
  readonly typed?: string | undefined;
  readonly problem?: string | undefined;
}

/** Asks for the address to confirm the deletion of the account. */
export function DeleteAccountPage({ account, running, typed, problem }: DeleteProps) {
  return (
    <Layout
      title="Delete the account?"
      above={[{ title: 'Settings', href: '/dashboard/settings' }]}
      lead="This cannot be undone."
    >
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
        <PostForm action="/dashboard/settings/delete">
          <TextField
            name="email"
            label="Enter your e-mail address to confirm"
            hint={account.email}
            value={typed}
            problem={problem}
            input={{ type: 'email', required: true, autoComplete: 'off', maxLength: maxEmailLength }}
          />
          <div className="row">
            <button className="danger" type="submit">
              Delete everything
            </button>
            <a className="button quiet" href="/dashboard/settings">
              Keep the account
            </a>
          </div>
        </PostForm>
      </Panel>
    </Layout>
  );
}
