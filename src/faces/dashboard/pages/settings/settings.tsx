import { Badge } from '../../../../output/site/status.js';
import { Time } from '../../../../output/site/time.js';
import type { Session } from '../../../../service/accounts/sign-in/sign-in.js';
import type { SecretState } from '../../../../service/jobs/webhooks/webhooks.js';
import type { FormState } from '../../forms.js';
import { useFrame } from '../../frame.js';
import { ActionButton, PostForm, TextField } from '../../parts/form.js';
import { Layout } from '../../parts/layout.js';
import { Details, Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

interface SettingsProps {
  /** Id of the current session. */
  readonly currentSession: string;
  readonly sessions: readonly Session[];
  /** The form of the alert, as submitted or as set. */
  readonly alert: FormState;
  readonly secret: SecretState;
}

/** Returns a short name for a browser; the tooltip has the full user agent. */
function browserName(userAgent: string): string {
  const names = [
    ['Edg/', 'Edge'],
    ['OPR/', 'Opera'],
    ['Firefox/', 'Firefox'],
    ['Chrome/', 'Chrome'],
    ['Safari/', 'Safari'],
  ] as const;
  const systems = [
    ['iPhone', 'iPhone'],
    ['iPad', 'iPad'],
    ['Android', 'Android'],
    ['Windows', 'Windows'],
    ['Mac OS', 'macOS'],
    ['Linux', 'Linux'],
  ] as const;
  const name = names.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  if (name === undefined) return userAgent === '' ? 'A browser' : userAgent.slice(0, 60);
  return system === undefined ? name : `${name} on ${system}`;
}

function Sessions({ currentSession, sessions }: Pick<SettingsProps, 'currentSession' | 'sessions'>) {
  return (
    <Panel title="Sessions" aside="They expire 30 days after their last use">
      {sessions.length < 2 ? null : (
        <ActionButton kind="quiet" action="/dashboard/settings/sessions/end-others">
          End all others
        </ActionButton>
      )}
      <Table
        caption="Signed-in browsers, last used first"
        rows={sessions}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Browser',
            heads: true,
            cell: ({ id, browser }) => (
              <span title={browser}>
                {browserName(browser)} {id === currentSession ? <Badge tone="good">This one</Badge> : null}
              </span>
            ),
          },
          { title: 'Signed in', cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
          {
            title: 'End',
            silent: true,
            cell: ({ id, browser }) =>
              id === currentSession ? null : (
                <ActionButton kind="danger" action={`/dashboard/settings/sessions/${id}/end`}>
                  End<span className="unseen"> the session of {browserName(browser)}</span>
                </ActionButton>
              ),
          },
        ]}
      />
    </Panel>
  );
}

function Alert({ alert }: SettingsProps) {
  return (
    <Panel title="Balance alert">
      <PostForm action="/dashboard/settings/alert" {...alert}>
        <TextField
          name="threshold"
          label="E-mail me when the balance falls below"
          hint="In credits; empty for none. You get one e-mail each time the balance falls below it."
          input={{ inputMode: 'numeric', autoComplete: 'off', placeholder: 'No alert' }}
        />
        <button type="submit">Save</button>
      </PostForm>
    </Panel>
  );
}

function WebhookSecret({ secret }: { secret: SecretState }) {
  const { created_at: createdAt, previous_until: until } = secret;
  return (
    <Panel title="Webhook signing secret">
      <p>
        Signs the webhooks of your jobs, so that you can verify them. It is shown once, when you create it.
      </p>
      <Details
        of={[
          ['Created', createdAt === null ? 'not yet' : <Time key="made" at={createdAt} />],
          until === null ? null : ['The previous one is valid until', <Time key="until" at={until} />],
        ]}
      />
      <ActionButton kind="quiet" action="/dashboard/settings/webhook-secret">
        {createdAt === null ? 'Create a secret' : 'Create a new secret'}
      </ActionButton>
      {createdAt === null ? null : (
        <p className="remark">
          The current secret stays valid for a day, so that your receivers miss nothing; an older one expires
          now.
        </p>
      )}
    </Panel>
  );
}

export function SettingsPage(props: SettingsProps) {
  const { secret } = props;
  return (
    <Layout title="Settings" lead={`You are signed in as ${useFrame().viewer?.account.email ?? ''}.`}>
      <Sessions {...props} />
      <div className="columns two">
        <Alert {...props} />
        <WebhookSecret secret={secret} />
      </div>
      <Panel title="Delete the account">
        <p>This ends your sessions, keys and jobs. You lose the remaining credits.</p>
        <div className="row">
          <a className="button danger" href="/dashboard/settings/delete">
            Delete the account
          </a>
        </div>
      </Panel>
    </Layout>
  );
}
