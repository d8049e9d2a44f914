import type { Endpoint } from '../../../../lib/endpoint.js';
import { describe, kindOf } from '../../../../lib/params/describe.js';
import { casesOf, sampleParamsOf } from '../../../../lib/samples.js';
import { fenced, markdownTable } from '../../../output/markdown-table.js';
import { routesMarkdown } from '../../../output/route-rows.js';
import { shellQuoted } from '../../../output/shell-words.js';
import { percent } from '../../../service/health/endpoint-state.js';
import type { EndpointReport } from '../../../service/health/health-report.js';
import { demoEnvelope } from '../openapi/read-operations.js';
import { objectName } from '../openapi/schemas.js';
import { errorCodes, errorTable } from './error-pages.js';
import { fieldsMarkdown } from './object-pages.js';
import { samplesMarkdown } from './samples.js';

function requiredText({ exactlyOne }: Endpoint, name: string, optional: boolean): string {
  if (exactlyOne?.includes(name) === true) return `one of ${exactlyOne.join(', ')}`;
  return optional ? 'no' : 'yes';
}

function parameterTable(endpoint: Endpoint): string {
  const rows = Object.entries(endpoint.params).map(([name, schema]) => {
    const { expects, default: fallback } = describe(schema);
    const required = requiredText(endpoint, name, schema.safeParse(undefined).success);
    return [
      `\`${name}\``,
      kindOf(schema).description ?? '',
      expects,
      fallback === undefined ? required : `no; default \`${fallback}\``,
    ];
  });
  return markdownTable(['Parameter', 'Meaning', 'Takes', 'Required'], rows);
}

/** Says how often nullable fields have a value, as seen by this server. */
function filledMarkdown({ fields, fallen }: EndpointReport): string {
  const filledOften = fields.filter(({ usual }) => usual !== null);
  if (filledOften.length === 0) return '';
  const rows = filledOften.map(({ field, usual }) => {
    const now = fallen.find((one) => one.field === field);
    return [
      `\`${field}\``,
      usual === null ? '' : percent(usual),
      now === undefined ? '' : `fell to ${percent(now.share)}`,
    ];
  });
  return `
## How often fields are filled

How often optional fields had a value on this server in the last six weeks; in lists, the share of the items. \`>0\` is the share
with a count above zero.

${markdownTable(['Field', 'Usually filled', 'Now'], rows)}
`;
}

/** The query of the first sample, as one would type it. */
async function demoQuery(endpoint: Endpoint): Promise<string> {
  const params = Object.entries(await sampleParamsOf(endpoint));
  const query = new URLSearchParams(params.map(([name, value]): [string, string] => [name, String(value)]));
  query.set('demo', 'true');
  return query.toString().replaceAll("'", '%27');
}

async function command({ platform, name, ...endpoint }: Endpoint): Promise<string> {
  const params = Object.entries(await sampleParamsOf({ platform, name, ...endpoint }));
  const words = params.map(
    ([param, value]) => `--${param.replaceAll('_', '-')} ${shellQuoted(String(value))}`,
  );
  return ['extract', platform, name, ...words, '--demo'].join(' ');
}

/** Builds the page of one endpoint: its parameters, cost and answer. */
export async function endpointPage(
  endpoint: Endpoint,
  base: string,
  report: EndpointReport,
): Promise<string> {
  const name = objectName(endpoint.returns);
  const address = `/v1/${endpoint.path}`;
  const codes = new Set((await casesOf(endpoint)).flatMap(({ error }) => error ?? []));
  const returned = `${endpoint.many ? 'a list of ' : ''}[\`${name}\`](/docs/objects/${name})`;
  return `# ${endpoint.title}: ${endpoint.path}

${endpoint.summary}.

${endpoint.description}

\`GET ${address}\` · ${endpoint.credits} credits · cached for ${endpoint.cacheSeconds / 3600} h · operation
\`${endpoint.operation}\` · returns ${returned}

[Status here](/status): **${report.state}** ${report.reasons.join(' ')}

## Example

Runs unchanged, without a key: \`demo=true\` returns sample data, free. To read the platform, omit \`demo\` and send
\`Authorization: Bearer\` with your [API key](/docs/guides/authentication).

${samplesMarkdown({ address: `${address}?${await demoQuery(endpoint)}`, keyed: false, reads: true }, base)}

In a terminal:

${fenced('sh', await command(endpoint))}

## Parameters

${parameterTable(endpoint)}

## Fields

${fieldsMarkdown(name)}

## Response

${fenced('json', JSON.stringify(await demoEnvelope(endpoint), null, 2))}
${filledMarkdown(report)}
## Routes

The public pages that it reads, in order. [Where answers come from](/docs/guides/routes) explains the columns, and
[/status](/status) shows the health of the routes on this server.

${routesMarkdown(endpoint)}

## Errors

In addition to the [errors of any call](/docs/errors):

${errorTable(errorCodes.filter((code) => codes.has(code)))}
`;
}
