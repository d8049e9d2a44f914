import type { ReactElement } from 'react';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { describe, kindOf } from '../../../../lib/params/describe.js';
import { sampleParamsOf } from '../../../../lib/samples.js';
import { percent } from '../../../service/health/endpoint-state.js';
import type { EndpointReport } from '../../../service/health/health-report.js';
import { readOperation } from '../openapi/read-operations.js';
import { objectName } from '../openapi/schemas.js';
import { CodeBlock, CodeLink, Page, Prose, Samples, StateBadge, Table } from './parts.js';

interface Operation {
  readonly responses: {
    readonly 200: {
      readonly content: {
        readonly 'application/json': { readonly examples: { readonly demo: { readonly value: unknown } } };
      };
    };
  };
}

function requiredText({ exactlyOne }: Endpoint, name: string, optional: boolean): string {
  if (exactlyOne?.includes(name) === true) return `one of ${exactlyOne.join(', ')}`;
  return optional ? 'no' : 'yes';
}

function ParameterTable({ endpoint }: { readonly endpoint: Endpoint }) {
  const rows = Object.entries(endpoint.params).map(([name, schema]) => {
    const { expects, default: fallback } = describe(schema);
    return [
      <code key="name">{name}</code>,
      <Prose key="meaning" markdown={kindOf(schema).description ?? ''} />,
      expects,
      requiredText(endpoint, name, schema.safeParse(undefined).success),
      fallback === undefined ? '' : String(fallback),
    ];
  });
  return <Table head={['Name', 'Meaning', 'Takes', 'Required', 'Default']} rows={rows} />;
}

/** How the endpoint is doing on this server. */
function StateLine({ report: { state, reasons } }: { readonly report: EndpointReport }) {
  return (
    <p>
      <a href="/status">State</a>: <StateBadge state={state} /> {reasons.join(' ')}
    </p>
  );
}

/** Which share of answers holds the fields that an answer may lack, as this server knows it. */
function FieldShares({ report: { fields, fallen } }: { readonly report: EndpointReport }) {
  if (fields.length === 0) return null;
  const rows = fields.map(({ field, usual }) => {
    const now = fallen.find((one) => one.field === field);
    return [
      <code key="field">{field}</code>,
      usual === null ? 'not known yet' : percent(usual),
      now === undefined ? '' : `fell to ${percent(now.share)}`,
    ];
  });
  return (
    <>
      <h2>What answers hold</h2>
      <p>
        Fields that an answer may lack, and the share of answers that held them here over the last six weeks;
        in lists, the share of their objects. <code>&gt;0</code> is the share in which a count was above zero.
      </p>
      <Table head={['Field', 'Usually filled in', 'Now']} rows={rows} />
    </>
  );
}

/** The query of the first sample, as a reader would type it. */
async function demoQuery(endpoint: Endpoint): Promise<string> {
  const params = Object.entries(await sampleParamsOf(endpoint));
  const query = new URLSearchParams(params.map(([name, value]): [string, string] => [name, String(value)]));
  query.set('demo', 'true');
  return query.toString().replaceAll("'", '%27');
}

/** The page of one endpoint: what it takes, costs and answers. */
export async function endpointPage(
  endpoint: Endpoint,
  base: string,
  report: EndpointReport,
): Promise<ReactElement> {
  const operation = (await readOperation(endpoint)) as unknown as Operation;
  const example = operation.responses[200].content['application/json'].examples.demo.value;
  const name = objectName(endpoint.returns);
  const address = `/v1/${endpoint.path}`;
  return (
    <Page title={endpoint.path}>
      <p>{endpoint.summary}.</p>
      <Prose markdown={endpoint.description} />
      <p>
        <code>GET {address}</code> · operation <code>{endpoint.operation}</code> · {endpoint.credits} credits
        · cached for {endpoint.cacheSeconds / 3600} h · answers {endpoint.many ? 'a list of ' : ''}
        <CodeLink href={`/docs/objects/${name}`} name={name} />
      </p>
      <StateLine report={report} />
      <h2>Parameters</h2>
      <ParameterTable endpoint={endpoint} />
      <FieldShares report={report} />
      <h2>Example</h2>
      <p>
        Runs as it is, without a key: <code>demo=true</code> answers with sample data, free. To read the
        platform, leave <code>demo</code> out and send <code>Authorization: Bearer</code> with your API key.
      </p>
      <Samples request={{ address: `${address}?${await demoQuery(endpoint)}`, keyed: false }} base={base} />
      <CodeBlock text={JSON.stringify(example, null, 2)} language="json" />
      <p>
        The same on the command line is{' '}
        <code>
          extract {endpoint.platform} {endpoint.name}
        </code>
        . What can go wrong: <a href="/docs/errors">the errors</a>.
      </p>
    </Page>
  );
}
