import type { AnswerSource, Meta } from '../../../lib/call/envelope.js';
import { priceText } from '../../../lib/call/price.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import type { ExtractError } from '../../../lib/errors/extract-error.js';
import type { ApiKey } from '../../accounts/accounts.js';
import type { State } from '../../health/endpoint-state.js';
import type { CallSample } from '../call-samples.js';
import type { Frame } from '../context.js';
import type { FormValues } from '../forms.js';
import { Credits } from '../parts/amounts.js';
import { Code } from '../parts/code.js';
import { Details } from '../parts/details.js';
import { StateBadge } from '../parts/endpoint-state.js';
import { FormToken, SelectField } from '../parts/form.js';
import { Layout } from '../parts/layout.js';
import { Panel } from '../parts/panel.js';
import { ParameterFields } from '../parts/parameter-fields.js';
import { Badge, Notice } from '../parts/status.js';
import { Time } from '../parts/time.js';
import { parameterPrefix } from '../playground.js';

/** What came of a call. */
export type PlaygroundResult =
  | { readonly ok: true; readonly text: string; readonly source: AnswerSource; readonly meta: Meta }
  | { readonly ok: false; readonly error: ExtractError };

const sourceNames: Readonly<Record<AnswerSource, string>> = {
  sample: 'sample data',
  cache: 'the cache',
  platform: 'the platform',
};

interface PlaygroundProps {
  readonly frame: Frame;
  readonly endpoint: Endpoint;
  readonly values: FormValues;
  /** Active keys of the account. */
  readonly keys: readonly ApiKey[];
  /** Id of the key that is chosen; empty for the demo. */
  readonly chosen: string;
  readonly samples: readonly CallSample[];
  readonly played: PlaygroundResult | null;
  /** How the endpoint is doing. */
  readonly state: State;
}

function Choice({ endpoint }: { endpoint: Endpoint }) {
  const options = endpoints.map(({ path, summary }) => ({ value: path, label: `${path}: ${summary}` }));
  return (
    <form className="row follow" method="get" action="/dashboard/playground">
      <SelectField name="endpoint" label="Endpoint" value={endpoint.path} options={options} />
      <button className="quiet" type="submit">
        Choose
      </button>
    </form>
  );
}

function Question({
  frame,
  endpoint,
  values,
  keys,
  chosen,
  state,
}: Omit<PlaygroundProps, 'samples' | 'played'>) {
  const { platform, path } = endpoint;
  const keyOptions = keys.map(({ id, name, platforms }) => ({
    value: id,
    label: platforms?.includes(platform) === false ? `${name}: may not call ${platform}` : name,
  }));
  return (
    <Panel
      title={path}
      aside={
        <>
          <StateBadge state={state} /> <a href={`/docs/endpoints/${path}`}>Documentation</a>
        </>
      }
    >
      <form className="stack" method="post" action="/dashboard/playground">
        <FormToken frame={frame} />
        <input type="hidden" name="endpoint" value={path} />
        <ParameterFields endpoint={endpoint} values={values} />
        <SelectField
          name="key"
          label="Call with"
          hint={`With a key the call ${priceText(endpoint)}.`}
          value={chosen}
          options={[{ value: '', label: 'No key: sample data, for nothing' }, ...keyOptions]}
        />
        <button type="submit">Run</button>
      </form>
    </Panel>
  );
}

function NextPage({
  frame,
  endpoint,
  values,
  chosen,
  cursor,
}: Omit<PlaygroundProps, 'keys' | 'samples' | 'played'> & { cursor: string }) {
  return (
    <form className="one-button" method="post" action="/dashboard/playground">
      <FormToken frame={frame} />
      <input type="hidden" name="endpoint" value={endpoint.path} />
      <input type="hidden" name="key" value={chosen} />
      {Object.entries({ ...values, cursor }).map(([name, value]) => (
        <input key={name} type="hidden" name={`${parameterPrefix}${name}`} value={value} />
      ))}
      <button className="quiet" type="submit">
        Next page
      </button>
    </form>
  );
}

function Result({ played, ...props }: PlaygroundProps & { played: PlaygroundResult }) {
  if (!played.ok) {
    const { code, message, status, requestId, docs } = played.error;
    return (
      <Panel title="Answer" aside={<Badge tone="bad">{`${status} ${code}`}</Badge>}>
        <Notice kind="problem">
          <p>
            {message} <a href={new URL(docs).pathname}>About {code}</a>
          </p>
        </Notice>
        <Details
          of={[
            ['Charged', <Credits key="charged" amount={0} />],
            ['Request', <code key="id">{requestId}</code>],
          ]}
        />
      </Panel>
    );
  }
  const { text, source, meta } = played;
  return (
    <Panel title="Answer" aside={<Badge tone="good">200</Badge>}>
      <Details
        of={[
          ['Charged', <Credits key="charged" amount={meta.credits_charged} />],
          ['Answered from', sourceNames[source]],
          ['Fetched', <Time key="fetched" at={meta.fetched_at} />],
          [
            'Request',
            source === 'sample' ? (
              <code key="id">{meta.request_id}</code>
            ) : (
              <a key="id" href={`/dashboard/requests/${meta.request_id}`}>
                <code>{meta.request_id}</code>
              </a>
            ),
          ],
        ]}
      />
      <Code label="JSON" text={text} tall />
      {meta.next_cursor === null ? null : <NextPage {...props} cursor={meta.next_cursor} />}
    </Panel>
  );
}

/** Any endpoint, to be tried: its parameters as a form, what it answers, and the same call to take away. */
export function PlaygroundPage(props: PlaygroundProps) {
  const { frame, endpoint, samples, played } = props;
  return (
    <Layout frame={frame} title="Playground" lead="Run any endpoint, and take the call with you.">
      <Choice endpoint={endpoint} />
      <Question {...props} />
      {played === null ? null : <Result {...props} played={played} />}
      <Panel title="The same call">
        {samples.map(({ label, text }) => (
          <Code key={label} label={label} text={text} />
        ))}
      </Panel>
    </Layout>
  );
}
