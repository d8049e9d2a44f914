import { brandOf, platforms } from '../../../../lib/platforms.js';
import { integerText } from '../../../output/number-text.js';
import { Code } from '../../../output/site/code.js';
import { Callout } from '../../../output/site/status.js';
import { Day } from '../../../output/site/time.js';
import type { ApiKey, ListedKey } from '../../../service/accounts/account-objects.js';
import { isActive, maxActiveKeys, maxKeyNameLength } from '../../../service/accounts/accounts.js';
import { firstCallPage, firstCallSamples } from '../first-call.js';
import type { FormState } from '../forms.js';
import { useFrame } from '../frame.js';
import { Credits } from '../parts/amounts.js';
import { CheckBox, PostForm, QuietLink, TextField } from '../parts/form.js';
import { keysPage, Layout } from '../parts/layout.js';
import { Moment } from '../parts/moment.js';
import { isolated, Name } from '../parts/name.js';
import { ConfirmLayout, SecretLayout } from '../parts/pages-below.js';
import { Empty, Panel } from '../parts/panel.js';
import { type Column, Table } from '../parts/table.js';

const above = [keysPage] as const;
const allowed = ({ platforms: some }: ApiKey) => some?.map(brandOf).join(', ') ?? 'all platforms';

/** Shows the last characters of a secret, which identify it but are useless for calls. */
const shortened = ({ last_four }: ApiKey) => (last_four === null ? 'xt_live_…' : `xt_live_…${last_four}`);

function Spent({ of: { id, name, monthly_credits: limit, monthly_credits_used: used } }: { of: ListedKey }) {
  return (
    <a href={`/dashboard/keys/${id}/limit`}>
      {integerText(used)} {limit === null ? '· no limit' : `of ${integerText(limit)}`}
      <span className="unseen">, change the limit of {name}</span>
    </a>
  );
}

const nameAndSecret: readonly Column<ApiKey>[] = [
  { title: 'Name', heads: true, cell: ({ name }) => <Name of={name} /> },
  { title: 'Secret', cell: (key) => <code className="secret">{shortened(key)}</code> },
];

function ActiveKeys({ keys }: { keys: readonly ListedKey[] }) {
  return (
    <Table
      caption="Active keys"
      rows={keys}
      keyOf={({ id }) => id}
      empty={
        <Empty title="No key is active">
          <p>Calls need a key. Create one below; its secret is shown once, right after you create it.</p>
        </Empty>
      }
      columns={[
        ...nameAndSecret,
        { title: 'Platforms', minor: true, cell: allowed },
        { title: 'Credits this month', cell: (key) => <Spent of={key} /> },
        { title: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} none="not yet" /> },
        { title: 'Expires', cell: ({ expires_at }) => <Moment at={expires_at} none="never" /> },
        { title: 'Created', minor: true, cell: ({ created_at }) => <Day at={created_at} /> },
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

function EndedKeys({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) return null;
  return (
    <Panel title="Revoked and expired">
      <Table
        caption="Revoked and expired keys"
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          ...nameAndSecret,
          { title: 'Last used', cell: ({ last_used_at }) => <Moment at={last_used_at} none="never" /> },
          { title: 'Created', cell: ({ created_at }) => <Day at={created_at} /> },
          { title: 'Ended', cell: ({ revoked_at, expires_at }) => <Moment at={revoked_at ?? expires_at} /> },
        ]}
      />
    </Panel>
  );
}

function MonthlyCredits() {
  return (
    <TextField
      name="monthly_credits"
      label="Credits a month"
      hint="Optional: calls that would spend more fail until next month (UTC)."
      input={{ inputMode: 'numeric', autoComplete: 'off', placeholder: 'no limit' }}
    />
  );
}

interface NewKeyProps extends FormState {
  readonly chosen?: readonly string[];
}

function NewKey({ chosen = platforms, values, problems = {} }: NewKeyProps) {
  return (
    <Panel title="Create a key">
      <PostForm action="/dashboard/keys" {...{ values, problems }}>
        <TextField
          name="name"
          label="Name"
          hint="Such as where you use it, to tell your keys apart."
          input={{ required: true, maxLength: maxKeyNameLength, autoComplete: 'off' }}
        />
        <fieldset>
          <legend>Platforms</legend>
          <div className="checks">
            {platforms.map((platform) => (
              <CheckBox
                key={platform}
                name="platforms"
                value={platform}
                label={`${brandOf(platform)} (${platform})`}
                checked={chosen.includes(platform)}
              />
            ))}
          </div>
          {problems.platforms === undefined ? null : <p className="problem">{problems.platforms}</p>}
        </fieldset>
        <TextField
          name="expires"
          label="Expires"
          hint="Optional: the key stops working at the start of this day (UTC)."
          input={{ type: 'date' }}
        />
        <MonthlyCredits />
        <button type="submit">Create key</button>
      </PostForm>
    </Panel>
  );
}

export function KeysPage({
  keys,
  now,
  problem,
  ...form
}: NewKeyProps & {
  readonly keys: readonly ListedKey[];
  readonly now: number;
  readonly problem?: string | undefined;
}) {
  const active = keys.filter((key) => isActive(key, now));
  return (
    <Layout
      title="API keys"
      lead={`Keys authenticate calls to your account. ${active.length} of ${maxActiveKeys} are active.`}
    >
      {problem === undefined ? null : <Callout kind="problem">{problem}</Callout>}
      <ActiveKeys keys={active} />
      {active.length < maxActiveKeys ? (
        <NewKey {...form} />
      ) : (
        <Callout kind="note">Ten keys are active, the maximum. Revoke one to create another.</Callout>
      )}
      <EndedKeys keys={keys.filter((key) => !isActive(key, now))} />
    </Layout>
  );
}

export function NewSecretPage({ apiKey, secret }: { readonly apiKey: ApiKey; readonly secret: string }) {
  const { docsBase } = useFrame();
  return (
    <SecretLayout title={`The key “${isolated(apiKey.name)}”`} above={above} lead={`For ${allowed(apiKey)}.`}>
      <Panel title="Secret">
        <Code label="API key" text={secret} />
        <p className="remark">It works immediately. Keep it out of code that others can see.</p>
      </Panel>
      <Panel title="Use it" aside={<a href={firstCallPage(apiKey.id)}>Try it in the playground</a>}>
        <p className="muted">These calls contain the secret: you can run them unchanged.</p>
        {firstCallSamples(docsBase, secret).map(({ label, text }) => (
          <Code key={label} label={label} text={text} />
        ))}
        <Code
          label="Use this server from the command line (asks for the key)"
          text={`extract login --base-url ${docsBase}/v1`}
        />
      </Panel>
    </SecretLayout>
  );
}

export function KeyLimitPage({ apiKey, values, problems }: FormState & { readonly apiKey: ListedKey }) {
  const { id, name, monthly_credits: limit, monthly_credits_used: used } = apiKey;
  const reset = apiKey.monthly_credits_reset_at;
  return (
    <Layout
      title={`Limit of “${isolated(name)}”`}
      above={above}
      lead={
        <>
          <Credits amount={used} /> spent this month. The next month begins on <Day at={reset} /> (UTC).
        </>
      }
    >
      <Panel title="Credits a month">
        <PostForm
          action={`/dashboard/keys/${id}/limit`}
          values={values ?? { monthly_credits: String(limit ?? '') }}
          problems={problems}
        >
          <MonthlyCredits />
          <div className="row">
            <button type="submit">Set the limit</button>
            <QuietLink href="/dashboard/keys">Cancel</QuietLink>
          </div>
        </PostForm>
      </Panel>
    </Layout>
  );
}

export function RevokeKeyPage({ apiKey }: { apiKey: ApiKey }) {
  return (
    <ConfirmLayout
      title={`Revoke “${isolated(apiKey.name)}”?`}
      above={above}
      lead="Calls with it will fail everywhere. A revoked key cannot be restored; your other keys keep working."
      action={`/dashboard/keys/${apiKey.id}/revoke`}
      yes="Revoke the key"
      no="Keep it"
    />
  );
}
