import type { Endpoint } from '../../../../lib/endpoint.js';
import { catalogue, isErrorCode } from '../../../../lib/errors/extract-error.js';
import type { UsageRow } from '../../../../lib/ledger/usage-row.js';
import { Code, SampleTabs } from '../../../output/site/code.js';
import { Callout } from '../../../output/site/status.js';
import { durationOf, Time } from '../../../output/site/time.js';
import type { CallSample } from '../call-samples.js';
import { Credits } from '../parts/amounts.js';
import { Outcome } from '../parts/calls-table.js';
import { Layout, requestsPage } from '../parts/layout.js';
import { Name } from '../parts/name.js';
import { Details, Panel } from '../parts/panel.js';

/** A call in the ledger, or one refused before it was charged. */
export type AnyCall = UsageRow & { readonly refused: boolean };

interface RequestProps {
  readonly call: AnyCall;
  /** Null for an endpoint that no longer exists. */
  readonly endpoint: Endpoint | null;
  /** The input; only known for jobs. */
  readonly input: string | null;
  readonly samples: readonly CallSample[];
}

function Failure({ code }: { code: string }) {
  if (!isErrorCode(code)) return null;
  const { summary, next } = catalogue[code];
  return (
    <Callout kind="problem">
      <p>
        <b>{summary}</b> {next} <a href={`/docs/errors/${code}`}>About {code}</a>
      </p>
    </Callout>
  );
}

/** One call: its outcome, its cost, how to repeat it. */
export function RequestPage({ call, endpoint, input, samples }: RequestProps) {
  return (
    <Layout title={call.endpoint} above={[requestsPage]} lead={<code>{call.id}</code>}>
      {call.error_code === null ? null : <Failure code={call.error_code} />}
      <Panel title="What happened">
        <Details
          of={[
            ['Time', <Time key="time" at={call.created_at} />],
            ['Result', <Outcome key="result" call={call} />],
            ['Took', durationOf(call)],
            call.refused ? ['Refused', 'before the charge'] : null,
            endpoint === null ? null : ['Price', <Credits key="price" amount={endpoint.credits} />],
            ['Charged', <Credits key="charged" amount={call.credits_charged} />],
            ['Refunded', <Credits key="refunded" amount={call.credits_refunded} />],
            [
              'Answered from',
              call.status === 'failed' ? 'no answer' : call.cached ? 'the cache' : 'the platform',
            ],
            ['Key', call.api_key === null ? 'none' : <Key key="key" apiKey={call.api_key} />],
            call.job_id === null
              ? null
              : [
                  'Batch job',
                  <a key="job" href={`/dashboard/jobs/${call.job_id}`}>
                    {call.job_id}
                  </a>,
                ],
          ]}
        />
      </Panel>
      {endpoint === null ? null : (
        <Panel
          title="Repeat it"
          aside={<a href={`/dashboard/playground?endpoint=${call.endpoint}`}>Open in the playground</a>}
        >
          {input === null ? (
            <p className="muted">We do not store the parameters of calls. Insert your own.</p>
          ) : (
            <Code label="Input of the job" text={input} />
          )}
          <SampleTabs name="call" samples={samples} />
        </Panel>
      )}
    </Layout>
  );
}

function Key({ apiKey: { id, name } }: { apiKey: NonNullable<UsageRow['api_key']> }) {
  return (
    <>
      <Name of={name} /> (<a href={`/dashboard/requests?key=${id}`}>its requests</a>)
    </>
  );
}
