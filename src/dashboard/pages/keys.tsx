import { platforms } from '../../../lib/platforms.js';
import { type ApiKey, maxActiveKeys, maxKeyNameLength } from '../../accounts/accounts.js';
import type { Frame } from '../context.js';
import { firstCallPage, firstCallSamples } from '../first-call.js';
import type { FormValues } from '../forms.js';
import { Code } from '../parts/code.js';
import { ActionButton, CheckBox, FormToken, TextField } from '../parts/form.js';
import { Layout } from '../parts/layout.js';
import { Empty, Panel } from '../parts/panel.js';
import { Notice } from '../parts/status.js';
import { Table } from '../parts/table.js';
import { Time } from '../parts/time.js';

const above = [{ title: 'API keys', href: '/dashboard/keys' }];
const allowed = ({ platforms: some }: ApiKey) => some?.join(', ') ?? 'all platforms';

function ActiveKeys({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) {
    return (
      <Empty title="No key is active">
        <p>Calls need a key. Make one below; its secret is shown once, right after.</p>
      </Empty>
    );
  }
  return (
    <Table
      caption="Active keys"
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Name', heads: true, cell: ({ name }) => name },
        { title: 'May call', cell: allowed },
        { title: 'Id', cell: ({ id }) => <code>{id}</code> },
        { title: 'Made', cell: ({ created_at }) => <Time at={created_at} /> },
        {
          title: 'Revoke',
          silent: true,
          cell: ({ id, name }) => (
            <a className="button danger" href={`/dashboard/keys/${id}/revoke`}>
              Revoke<span className="unseen"> {name}</span>
            </a>
          ),
        },
      ]}
    />
  );
}

function RevokedKeys({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) return null;
  return (
    <Panel title="Revoked">
      <Table
        caption="Revoked keys"
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', heads: true, cell: ({ name }) => name },
          { title: 'Id', cell: ({ id }) => <code>{id}</code> },
          { title: 'Made', cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: 'Revoked',
            cell: ({ revoked_at }) => (revoked_at === null ? '' : <Time at={revoked_at} />),
          },
        ]}
      />
    </Panel>
  );
}

interface NewKeyProps {
  readonly frame: Frame;
  /** What was typed, when the form comes back. */
  readonly name?: string | undefined;
  readonly chosen?: readonly string[] | undefined;
  readonly problems?: FormValues | undefined;
}

function NewKey({ frame, name, chosen = platforms, problems = {} }: NewKeyProps) {
  return (
    <Panel title="Make a key">
      <form className="stack" method="post" action="/dashboard/keys">
        <FormToken frame={frame} />
        <TextField
          name="name"
          label="Name"
          hint="For you to tell your keys apart: where it is used, say."
          value={name}
          problem={problems.name}
          input={{ required: true, maxLength: maxKeyNameLength, autoComplete: 'off' }}
        />
        <fieldset>
          <legend>It may call</legend>
          <div className="checks">
            {platforms.map((platform) => (
              <CheckBox
                key={platform}
                name="platforms"
                value={platform}
                label={platform}
                checked={chosen.includes(platform)}
              />
            ))}
          </div>
          {problems.platforms === undefined ? null : <p className="problem">{problems.platforms}</p>}
        </fieldset>
        <button type="submit">Make the key</button>
      </form>
    </Panel>
  );
}

/** The keys of an account, and a form for one more. */
export function KeysPage({
  keys,
  problem,
  ...form
}: NewKeyProps & { readonly keys: readonly ApiKey[]; readonly problem?: string | undefined }) {
  const active = keys.filter(({ revoked_at }) => revoked_at === null);
  return (
    <Layout
      frame={form.frame}
      title="API keys"
      lead={`Keys authenticate calls to your account. ${active.length} of ${maxActiveKeys} are active.`}
    >
      {problem === undefined ? null : <Notice kind="problem">{problem}</Notice>}
      <ActiveKeys keys={active} />
      {active.length < maxActiveKeys ? (
        <NewKey {...form} />
      ) : (
        <Notice kind="note">
          Ten keys are active, which is the most there can be. Revoke one to make another.
        </Notice>
      )}
      <RevokedKeys keys={keys.filter(({ revoked_at }) => revoked_at !== null)} />
    </Layout>
  );
}

/** The one page that shows a secret: the answer to the form that made it, kept nowhere. */
export function NewSecretPage({
  frame,
  apiKey,
  secret,
}: {
  readonly frame: Frame;
  readonly apiKey: ApiKey;
  readonly secret: string;
}) {
  return (
    <Layout
      frame={frame}
      title={`The key “${apiKey.name}”`}
      above={above}
      lead={`It may call ${allowed(apiKey)}.`}
    >
      <Notice kind="note">
        <p>
          <b>This is the only time the secret is shown.</b> Copy it now to where it will be used; we keep no
          copy of it.
        </p>
      </Notice>
      <Panel title="Secret">
        <Code label="API key" text={secret} />
        <p className="remark">It works at once. Keep it out of code that others see.</p>
      </Panel>
      <Panel title="Use it" aside={<a href={firstCallPage(apiKey.id)}>Try it in the playground</a>}>
        <p className="muted">These calls hold the secret: they run as they stand.</p>
        {firstCallSamples(frame.docsBase, secret).map(({ label, text }) => (
          <Code key={label} label={label} text={text} />
        ))}
        <Code
          label="Use this server from the command line; it asks for the key"
          text={`extract login --base-url ${frame.docsBase}/v1`}
        />
      </Panel>
      <p>
        <a href="/dashboard/keys">Done, back to the keys</a>
      </p>
    </Layout>
  );
}

/** Asks once more before a key ends. */
export function RevokeKeyPage({ frame, apiKey }: { frame: Frame; apiKey: ApiKey }) {
  return (
    <Layout
      frame={frame}
      title={`Revoke “${apiKey.name}”?`}
      above={above}
      lead="Calls with it fail from then on, everywhere. A revoked key cannot be brought back; your other keys stay as they are."
    >
      <div className="row">
        <ActionButton frame={frame} kind="danger" action={`/dashboard/keys/${apiKey.id}/revoke`}>
          Revoke the key
        </ActionButton>
        <a className="button quiet" href="/dashboard/keys">
          Keep it
        </a>
      </div>
    </Layout>
  );
}
