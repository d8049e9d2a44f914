import type { ReactElement, ReactNode } from 'react';
import type { SampleRequest } from '../../../output/request-samples.js';
import { accountOperations } from '../openapi/account-operations.js';
import { jobOperations } from '../openapi/job-operations.js';
import { statusMeaning } from '../openapi/responses.js';
import { CodeLink, Page, Prose, Samples, Table } from './parts.js';

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

/** The operations beside the table: the account, its ledger, jobs and webhooks. */
export const operations: readonly Operation[] = Object.entries({
  ...accountOperations,
  ...jobOperations,
}).flatMap(([path, methods]) =>
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

/** The parameters of an operation, in path, query, headers and body. */
function ParameterTable({ operation }: { readonly operation: Operation }) {
  const { parameters = [], requestBody } = operation;
  const body = requestBody?.content['application/json'].schema;
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    ...{ name, in: 'body', description: schema.description ?? '', schema },
    required: body?.required?.includes(name) === true,
  }));
  const rows = [...parameters, ...fields].map(({ name, in: location, description, required, schema }) => [
    <code key="name">{name}</code>,
    location,
    <Prose key="meaning" markdown={description} />,
    typeText(schema),
    required ? 'yes' : schema.default === undefined ? 'no' : `no, ${String(schema.default)}`,
  ]);
  if (rows.length === 0) return null;
  return (
    <>
      <h2>Parameters</h2>
      <Table head={['Name', 'In', 'Meaning', 'Takes', 'Required']} rows={rows} />
    </>
  );
}

/** The object that an answer carries, or a list of it; null for one that carries none. */
function objectOf(schema: Schema | undefined): ReactNode {
  const data = schema?.properties?.data;
  const name = (data?.$ref ?? data?.items?.$ref)?.split('/').at(-1);
  if (name === undefined) return null;
  const link = <CodeLink href={`/docs/objects/${name}`} name={name} />;
  return data?.items === undefined ? <> {link}</> : <> A list of {link}.</>;
}

function AnswerTable({ operation }: { readonly operation: Operation }) {
  const rows = Object.entries(operation.responses).map(([status, { description, content }]) => [
    status,
    <>
      <Prose markdown={description ?? statusMeaning(Number(status))} />
      {objectOf(content?.['application/json']?.schema)}
    </>,
  ]);
  return <Table head={['Status', 'Meaning']} rows={rows} />;
}

/** A job that samples make. */
const sampleJob = {
  endpoint: 'shortvideo/profile',
  inputs: [{ username: 'nasa' }, { username: 'esa' }],
  webhook_url: 'https://example.com/jobs',
};

/** The request of a sample; an operation on a job first makes one. */
function sampleRequest({ name, operationId }: Operation): SampleRequest {
  const [method = 'GET', address = ''] = name.split(' ');
  const body = operationId === 'create_job' ? { body: sampleJob } : {};
  const about = address.startsWith('/v1/schedules/') ? { ...sampleJob, schedule: '1d' } : sampleJob;
  const ofNewJob = address.includes('{id}') ? { ofNewJob: about } : {};
  return { method, address, keyed: true, ...body, ...ofNewJob };
}

/** The page of one operation. */
export function operationPage(operation: Operation, base: string): ReactElement {
  return (
    <Page title={operation.name}>
      <p>{operation.summary}.</p>
      <Prose markdown={operation.description} />
      <p>
        Operation <code>{operation.operationId}</code>, under an API key.
      </p>
      <ParameterTable operation={operation} />
      <h2>Example</h2>
      <Samples request={sampleRequest(operation)} base={base} />
      <h2>Answers</h2>
      <AnswerTable operation={operation} />
      <p>
        What can go wrong: <a href="/docs/errors">the errors</a>.
      </p>
    </Page>
  );
}

/** A table of the operations, each with its page. */
export function OperationTable() {
  const rows = operations.map(({ operationId, name, summary }) => [
    <CodeLink key={name} href={`/docs/operations/${operationId}`} name={name} />,
    summary,
  ]);
  return <Table head={['Operation', 'What it does']} rows={rows} />;
}
