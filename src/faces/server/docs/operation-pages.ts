import { markdownTable } from '../../../output/markdown-table.js';
import type { SampleRequest } from '../../../output/sample-request.js';
import { apiOperations } from '../openapi/api-operations.js';
import { statusMeaning } from '../openapi/responses.js';
import { fieldsMarkdown } from './object-pages.js';
import { samplesMarkdown } from './samples.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
      }
    >
  >;
}

export interface Operation extends DescribedOperation {
  /** Such as `POST /v1/jobs`. */
  readonly name: string;
}

/** The operations that are not endpoints: the account, its ledger, jobs and webhooks. */
export const operations: readonly Operation[] = Object.entries(apiOperations).flatMap(([path, methods]) =>
  Object.entries(methods as Readonly<Record<string, DescribedOperation>>).map(([method, described]) => ({
    ...described,
    name: `${method.toUpperCase()} /v1${path}`,
  })),
);

function typeText({ type, format, anyOf, items, minimum, maximum, maxItems, ...schema }: Schema): string {
  if (schema.enum !== undefined)
    return schema.enum.length > 8 ? 'the path of an endpoint' : schema.enum.join(', ');
  if (anyOf !== undefined) return anyOf.map(typeText).join(' or ');
  if (format === 'date-time') return 'time (ISO 8601)';
  if (format === 'date') return 'day (ISO 8601)';
  if (items !== undefined) return `list of 1 to ${maxItems?.toLocaleString('en-US')} objects`;
  const kind = [type ?? 'value'].flat().join(' or ');
  return minimum === undefined || maximum === undefined ? kind : `${kind}, ${minimum} to ${maximum}`;
}

function parameterTable({ parameters = [], requestBody }: Operation): string {
  const body = requestBody?.content['application/json'].schema;
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    ...{ name, in: 'body', description: schema.description ?? '', schema },
    required: body?.required?.includes(name) === true,
  }));
  const rows = [...parameters, ...fields].map(({ name, in: location, description, required, schema }) => [
    `\`${name}\``,
    location,
    description,
    typeText(schema),
    required ? 'yes' : schema.default === undefined ? 'no' : `no; default \`${String(schema.default)}\``,
  ]);
  if (rows.length === 0) return '';
  return `\n## Parameters\n\n${markdownTable(['Name', 'In', 'Meaning', 'Takes', 'Required'], rows)}\n`;
}

/** The object in a response, or a list of it; empty if there is none. */
function objectText(schema: Schema | undefined): string {
  const data = schema?.properties?.data;
  const name = objectOf(schema);
  if (name === undefined) return '';
  const link = `[\`${name}\`](/docs/objects/${name})`;
  return data?.items === undefined ? ` ${link}` : ` A list of ${link}.`;
}

const objectOf = (schema: Schema | undefined) => {
  const data = schema?.properties?.data;
  return (data?.$ref ?? data?.items?.$ref)?.split('/').at(-1);
};

function responseTable({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description, content }]) => [
    status,
    `${description ?? statusMeaning(Number(status))}${objectText(content?.['application/json']?.schema)}`,
  ]);
  return markdownTable(['Status', 'Meaning'], rows);
}

function fieldsOf({ responses }: Operation): string {
  const schemas = Object.values(responses).map(({ content }) => content?.['application/json']?.schema);
  const name = schemas.map(objectOf).find((one) => one !== undefined);
  return name === undefined ? '' : `\n## Fields\n\n${fieldsMarkdown(name)}\n`;
}

const sampleJob = {
  endpoint: 'shortvideo/profile',
  inputs: [{ username: 'nasa' }, { username: 'esa' }],
  webhook_url: 'https://example.com/jobs',
};

const sampleBodies: Readonly<Record<string, unknown>> = {
  create_job: sampleJob,
  create_job_link: { kind: 'table' },
  create_schedule_link: { kind: 'table' },
};

/** The request in a sample; an operation on a job first creates one. */
function sampleRequest({ name, operationId }: Operation): SampleRequest {
  const [method = 'GET', path = ''] = name.split(' ');
  const address = path.replace('{link}', 'link_01KB9A0C7D');
  const body = operationId in sampleBodies ? { body: sampleBodies[operationId] } : {};
  const history = address.endsWith('/changes') ? { history: true } : {};
  const about = address.startsWith('/v1/schedules/')
    ? { ...sampleJob, schedule: '1d', ...history }
    : sampleJob;
  const ofNewJob = address.includes('{id}') ? { ofNewJob: about } : {};
  // A schedule can be run early once its last job has ended.
  const afterJob = operationId === 'run_schedule';
  return { method, address, keyed: true, ...body, ...ofNewJob, afterJob };
}

export function operationPage(operation: Operation, base: string): string {
  return `# ${operation.name}

${operation.summary}.

${operation.description}

Operation \`${operation.operationId}\`, under an [API key](/docs/guides/authentication).

## Example

${samplesMarkdown(sampleRequest(operation), base)}
${parameterTable(operation)}
## Responses

${responseTable(operation)}
${fieldsOf(operation)}
Errors: [error codes](/docs/errors).
`;
}

export function operationTable(): string {
  return markdownTable(
    ['Operation', 'What it does'],
    operations.map(({ operationId, name, summary }) => [
      `[\`${name}\`](/docs/operations/${operationId})`,
      summary,
    ]),
  );
}
