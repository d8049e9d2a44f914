import { accountOperations } from '../openapi/account-operations.js';
import { jobOperations } from '../openapi/job-operations.js';
import { statusMeaning } from '../openapi/responses.js';
import { type Html, html, prose } from './html.js';
import { page, table } from './layout.js';

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

interface Described {
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

interface Operation extends Described {
  /** Such as `POST /v1/jobs`. */
  readonly name: string;
}

/** The operations beside the table: the account, its ledger, jobs and webhooks. */
const operations: readonly Operation[] = Object.entries({ ...accountOperations, ...jobOperations }).flatMap(
  ([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Described>>).map(([method, described]) => ({
      ...described,
      name: `${method.toUpperCase()} /v1${path}`,
    })),
);

function takes({ type, format, anyOf, items, minimum, maximum, maxItems, ...schema }: Schema): string {
  if (schema.enum !== undefined)
    return schema.enum.length > 8 ? 'the path of an endpoint' : schema.enum.join(', ');
  if (anyOf !== undefined) return anyOf.map(takes).join(' or ');
  if (format === 'date-time') return 'time (ISO 8601)';
  if (format === 'date') return 'day (ISO 8601)';
  if (items !== undefined) return `list of 1 to ${maxItems?.toLocaleString('en-US')} objects`;
  const kind = [type ?? 'value'].flat().join(' or ');
  return minimum === undefined || maximum === undefined ? kind : `${kind}, ${minimum} to ${maximum}`;
}

/** What an operation takes, wherever in a request it stands. */
function parametersOf({ parameters = [], requestBody }: Operation): [Html, string, Html, string, string][] {
  const body = requestBody?.content['application/json'].schema;
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    ...{ name, in: 'body', description: schema.description ?? '', schema },
    required: body?.required?.includes(name) === true,
  }));
  return [...parameters, ...fields].map(({ name, in: place, description, required, schema }) => [
    html`<code>${name}</code>`,
    place,
    prose(description),
    takes(schema),
    required ? 'yes' : schema.default === undefined ? 'no' : `no, ${String(schema.default)}`,
  ]);
}

/** The object that an answer carries, or a list of it; null for one that carries none. */
function objectOf(schema: Schema | undefined): Html | null {
  const data = schema?.properties?.data;
  const name = (data?.$ref ?? data?.items?.$ref)?.split('/').at(-1);
  if (name === undefined) return null;
  const link = html`<a href="/docs/objects/${name}"><code>${name}</code></a>`;
  return data?.items === undefined ? html` ${link}` : html` A list of ${link}.`;
}

/** The page of one operation; null for a name that is none. */
export function operationPage(name: string): string | null {
  const operation = operations.find(({ operationId }) => operationId === name);
  if (operation === undefined) return null;
  const parameters = parametersOf(operation);
  const answers = Object.entries(operation.responses).map(
    ([status, { description, content }]): [string, Html] => [
      status,
      html`${prose(description ?? statusMeaning(Number(status)))}${objectOf(content?.['application/json']?.schema)}`,
    ],
  );
  return page(
    operation.name,
    html`<p>${operation.summary}.</p>
${prose(operation.description)}
<p>Operation <code>${operation.operationId}</code>, under an API key.</p>
${
  parameters.length === 0
    ? null
    : html`<h2>Parameters</h2>
${table(['Name', 'In', 'Meaning', 'Takes', 'Required'], parameters)}`
}
<h2>Answers</h2>
${table(['Status', 'Meaning'], answers)}
<p>What can go wrong: <a href="/docs/errors">the errors</a>.</p>`,
  );
}

/** A table of the operations, each with its page. */
export function operationTable(): Html {
  return table(
    ['Operation', 'What it does'],
    operations.map(({ operationId, name, summary }) => [
      html`<a href="/docs/operations/${operationId}"><code>${name}</code></a>`,
      summary,
    ]),
  );
}
