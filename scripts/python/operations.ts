import { apiOperations } from '../../src/faces/server/openapi/api-operations.js';
import { className, docstring, identifier, moduleText } from './source.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The parts of an OpenAPI operation that a method is generated from. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
    readonly schema: { readonly type?: string };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { schema: Schema }> }>>;
}

/** The operations whose methods are hand-written: `submit`, `results` and `download`. */
const operationIds = new Set(['create_job', 'get_job_results']);

/** Returns the schema of an operation's successful response. */
function successOf({ responses, operationId }: Operation): Schema {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = success?.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`${operationId} answers with no JSON.`);
  return schema;
}

/** Returns the fields of a body, which are all enumerations. */
const bodyOf = ({ requestBody }: Operation) =>
  Object.entries(requestBody?.content['application/json']?.schema.properties ?? {});

const nameOf = (schema: Schema | undefined) => className((schema?.$ref ?? '').replace(/.*\//, ''));

function methodText(path: string, verb: string, operation: Operation, isAsync: boolean): string {
  const { operationId, summary, description, parameters = [] } = operation;
  const { data, meta } = successOf(operation).properties ?? {};
  const isPaged = meta?.properties?.next_cursor !== undefined;
  const list = data?.type === 'array' ? `list[${nameOf(data.items)}]` : nameOf(data);
  const gives = isPaged ? `${isAsync ? 'Async' : ''}Listing[${nameOf(data?.items)}]` : list;
  const pathArguments = parameters.filter((one) => one.in === 'path').map(({ name }) => `${name}: str`);
  const queryParameters = parameters.filter((one) => one.in === 'query');
  const optional = queryParameters.map(({ name, schema }) => {
    return `${identifier(name)}: ${schema.type === 'integer' ? 'int' : 'str'} | None = None`;
  });
  const body = bodyOf(operation);
  const bodyFields = body.map(([name, schema]) => {
    const words = (schema.enum ?? []).map((word) => JSON.stringify(word));
    return `${identifier(name)}: Literal[${words.join(', ')}]`;
  });
  const params = [
    'self',
    ...pathArguments,
    ...bodyFields,
    ...(queryParameters.length === 0 ? [] : ['*', ...optional]),
  ];
  const explained = [
    ...queryParameters.map((one) => `${identifier(one.name)}: ${one.description}`),
    ...body.map(([name, schema]) => `${identifier(name)}: ${schema.description}`),
  ];
  const about = isAsync
    ? [`${summary}. As in \`Client\`.`]
    : [
        `${summary}.`,
        // The class says so of all.
        ...description
          .replace(/ ?Free\.$/, '')
          .trim()
          .split('\n\n'),
        ...(explained.length === 0 ? [] : [explained.join('\n')]),
      ];
  const address = `${pathArguments.length === 0 ? '' : 'f'}"${path.slice(1)}"`;
  const query = queryParameters.map(({ name }) => `"${name}": ${identifier(name)}`).join(', ');
  const fields = body.map(([name]) => `, {"${name}": ${identifier(name)}}`).join('');
  const call = isPaged
    ? `_listing(${address}, {${query}})`
    : `_operate(${gives}, "${verb.toUpperCase()}", ${address}${fields})`;
  return `    ${isAsync ? 'async ' : ''}def ${operationId}(${params.join(', ')}) -> ${gives}:
${docstring(about, 2)}
        return ${isAsync ? 'await ' : ''}self.${call}`;
}

/** Returns the operations other than endpoints: on the account, jobs and schedules. */
export function operationsModule(): string {
  const operations = Object.entries(apiOperations).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Operation>>)
      .filter(([, { operationId }]) => !operationIds.has(operationId))
      .map(([verb, operation]) => ({ path, verb, operation })),
  );
  const methods = (isAsync: boolean) =>
    operations.map(({ path, verb, operation }) => methodText(path, verb, operation, isAsync)).join('\n\n');
  const objects = operations
    .map(({ operation }) => successOf(operation).properties?.data)
    .map((data) => nameOf(data?.items ?? data));
  const about = docstring(['The account of the key, its jobs and schedules. All of it is free.'], 1);
  const imports = [
    'from typing import Literal',
    '',
    'from .._calls import AsyncCalls, Calls',
    'from ..answers import AsyncListing, Listing',
    `from ..objects import ${[...new Set(objects)].sort().join(', ')}`,
  ];
  return moduleText('The account of the key, its jobs and schedules.', imports, [
    `class ServiceMethods(Calls):\n${about}\n\n${methods(false)}`,
    `class AsyncServiceMethods(AsyncCalls):\n${about}\n\n${methods(true)}`,
  ]);
}
