import type { AnswerSource, Meta } from '../../../../lib/call/envelope.js';
import { priceText } from '../../../../lib/call/price.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import type { ExtractError } from '../../../../lib/errors/extract-error.js';
import { Code, SampleTabs } from '../../../output/site/code.js';
import { StateBadge } from '../../../output/site/state-badge.js';
import { Badge, Callout } from '../../../output/site/status.js';
import { durationText, Time } from '../../../output/site/time.js';
import type { ApiKey } from '../../../service/accounts/account-objects.js';
import type { State } from '../../../service/health/endpoint-state.js';
import type { CallSample } from '../call-samples.js';
import type { FormValues } from '../forms.js';
import { Credits } from '../parts/amounts.js';
import { endpointOptions } from '../parts/endpoint.js';
import { PostForm, QuietSubmit, SelectField } from '../parts/form.js';
import { AnswerTable } from '../parts/item-table.js';
import { Layout } from '../parts/layout.js';
import { isolated } from '../parts/name.js';
import { Details, Panel } from '../parts/panel.js';
import { ParameterFields } from '../parts/parameter-fields.js';
import { parameterPrefix } from '../playground.js';

export type PlaygroundResult =
  | {
      readonly ok: true;
      readonly data: unknown;
      readonly source: AnswerSource;
      readonly meta: Meta;
      readonly took: number;
    }
  | { readonly ok: false; readonly error: ExtractError };

/** Why no call was made: the fields were for another endpoint, or the form was submitted before. */
export type PlaygroundNote = 'changed' | 'repeated';

const notes: Readonly<Record<PlaygroundNote, (path: string) => string>> = {
  changed: (path) => `These are the fields of ${path}. Fill them in, then run it.`,
  repeated: () => 'This call was already made, and charged once. Run it again to make another.',
};

const sourceNames: Readonly<Record<AnswerSource, string>> = {
  sample: 'sample data',
  cache: 'the cache',
  platform: 'the platform',
};

interface PlaygroundProps {
  readonly endpoint: Endpoint;
  readonly values: FormValues;
  readonly keys: readonly ApiKey[];
  /** ID of the selected key; empty for the demo. */
  readonly chosen: string;
  readonly samples: readonly CallSample[];
  readonly played: PlaygroundResult | null;
  readonly state: State;
  readonly note: PlaygroundNote | null;
}

function Choice({ endpoint, keys, chosen }: Pick<PlaygroundProps, 'endpoint' | 'keys' | 'chosen'>) {
  const { platform } = endpoint;
  const keyOptions = keys.map(({ id, name, platforms }) => ({
    value: id,
    label: platforms?.includes(platform) === false ? `${name}: not allowed to call ${platform}` : name,
  }));
  return (
    <div className="row follow" data-submit="choose">
      <SelectField name="endpoint" label="Endpoint" value={endpoint.path} options={endpointOptions} />
      <SelectField
        name="key"
        label="Call with"
        value={chosen}
        options={[{ value: '', label: 'No key: sample data, free' }, ...keyOptions]}
      />
      <button className="quiet" type="submit" name="choose" value="true" formNoValidate>
        Choose
      </button>
    </div>
  );
}

/** A single form, so what the selects and fields say is what runs. */
function CallForm({
  endpoint,
  values,
  chosen,
  keys,
  state,
  note,
}: Omit<PlaygroundProps, 'samples' | 'played'>) {
  const { path } = endpoint;
  const key = keys.find(({ id }) => id === chosen);
  return (
    <Panel
      title={path}
      aside={
        <>
          {state === 'unknown' ? null : <StateBadge state={state} />}{' '}
          <a href={`/docs/endpoints/${path}`}>Documentation</a>
        </>
      }
    >
      <PostForm action="/dashboard/playground">
        {/* The endpoint of these fields; the select above may name another. */}
        <input type="hidden" name="shown" value={path} />
        {/* Enter in a field presses the first button of a form. */}
        <button className="unseen" type="submit" tabIndex={-1} aria-hidden="true">
          Run
        </button>
        <Choice endpoint={endpoint} keys={keys} chosen={chosen} />
        {note === null ? null : <Callout kind="note">{notes[note](path)}</Callout>}
        <p className="muted">
          {key === undefined
            ? 'Sample data: the values below are made up, and the answer is always the same. Choose a key to fetch real data.'
            : `Uses the key “${isolated(key.name)}”. A call ${priceText(endpoint)}.`}
        </p>
        <ParameterFields endpoint={endpoint} values={values} />
        <button type="submit">Run</button>
      </PostForm>
    </Panel>
  );
}

function NextPage({
  endpoint,
  values,
  chosen,
  cursor,
}: Omit<PlaygroundProps, 'keys' | 'samples' | 'played'> & { cursor: string }) {
  return (
    <PostForm className="one-button" action="/dashboard/playground">
      <input type="hidden" name="endpoint" value={endpoint.path} />
      <input type="hidden" name="key" value={chosen} />
      {Object.entries({ ...values, cursor }).map(([name, value]) => (
        <input key={name} type="hidden" name={`${parameterPrefix}${name}`} value={value} />
      ))}
      <QuietSubmit>Next page</QuietSubmit>
    </PostForm>
  );
}

function Result({ played, ...props }: PlaygroundProps & { played: PlaygroundResult }) {
  if (!played.ok) {
    const { code, message, status, requestId, docs } = played.error;
    return (
      <Panel title="Answer" aside={<Badge tone="bad">{`${status} ${code}`}</Badge>}>
        <Callout kind="problem">
          <p>
            {message} <a href={new URL(docs).pathname}>About {code}</a>
          </p>
        </Callout>
        <Details
          of={[
            ['Charged', <Credits key="charged" amount={0} />],
            ['Request', <code key="id">{requestId}</code>],
          ]}
        />
      </Panel>
    );
  }
  const { data, source, meta, took } = played;
  const isList = Array.isArray(data);
  return (
    <Panel title="Answer" aside={<Badge tone="good">200</Badge>}>
      <Details
        of={[
          source === 'sample' ? null : ['Charged', <Credits key="charged" amount={meta.credits_charged} />],
          ['Answered from', sourceNames[source]],
          ['Took', durationText(took)],
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
      <div className={isList ? 'columns' : 'columns two'}>
        <AnswerTable endpoint={props.endpoint} data={data} />
        <Code label="JSON" language="json" text={JSON.stringify({ data, meta }, null, 2)} tall />
      </div>
      {meta.next_cursor === null ? null : <NextPage {...props} cursor={meta.next_cursor} />}
    </Panel>
  );
}

/** Tries any endpoint: its parameters as a form, the answer, and the same call as code. */
export function PlaygroundPage(props: PlaygroundProps) {
  const { samples, played } = props;
  return (
    <Layout title="Playground" lead="Run any endpoint, and copy the call as code.">
      <CallForm {...props} />
      {played === null ? null : <Result {...props} played={played} />}
      <Panel title="The same call">
        {props.chosen === '' ? null : (
          <p className="muted">
            The code reads your key from the environment variable <code>EXTRACT_API_KEY</code>.
          </p>
        )}
        <SampleTabs name="call" samples={samples} />
      </Panel>
    </Layout>
  );
}
