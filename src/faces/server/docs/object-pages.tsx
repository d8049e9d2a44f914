import type { ReactElement } from 'react';
import { endpoints } from '../../../../lib/endpoints.js';
import { componentSchemas, objectName } from '../openapi/schemas.js';
import { CodeLink, Page, Prose, Table } from './parts.js';

/** The part of JSON Schema that objects are described with. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly format?: string;
  readonly $ref?: string;
}

/** Names of the objects that have a page. */
export function objectNames(): string[] {
  return Object.keys(componentSchemas());
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.type === 'array')
    return `list of ${schema.items === undefined ? 'values' : typeOf(schema.items)}`;
  if (schema.format === 'date-time') return 'time (ISO 8601, UTC)';
  return [schema.type ?? 'value'].flat().join(' or ');
}

/** Fields with those of objects inside them, as `outer.inner` and `outer[].inner`. */
function fields(schema: Schema, prefix = ''): [string, string, string][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = [field, ...(field.anyOf ?? [])].map((one) =>
      one.type === 'array'
        ? fields(one.items ?? {}, `${prefix}${name}[].`)
        : fields(one, `${prefix}${name}.`),
    );
    const row: [string, string, string] = [prefix + name, typeOf(field), describedBy(field)];
    return [row, ...inner.flat()];
  });
}

function describedBy({ description, anyOf }: Schema): string {
  return description ?? anyOf?.find((one) => one.description !== undefined)?.description ?? '';
}

/** The page of one object: every key it has, always all of them. */
export function objectPage(name: string): ReactElement {
  const schema = (componentSchemas() as Readonly<Record<string, Schema>>)[name] ?? {};
  const answering = endpoints.filter(({ returns }) => objectName(returns) === name);
  const rows = fields(schema).map(([field, type, text]) => [
    <code key="field">{field}</code>,
    type,
    <Prose key="meaning" markdown={text} />,
  ]);
  return (
    <Page title={name}>
      <p>
        Every key below is on every object, and no other. A value that the platform does not publish is{' '}
        <code>null</code>.
      </p>
      <Table head={['Field', 'Type', 'Meaning']} rows={rows} />
      {answering.length === 0 ? null : (
        <>
          <h2>Answered by</h2>
          <ul>
            {answering.map(({ path }) => (
              <li key={path}>
                <CodeLink href={`/docs/endpoints/${path}`} name={path} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Page>
  );
}

/** The list of all objects. */
export function ObjectsPage() {
  return (
    <Page title="Objects">
      <ul>
        {objectNames().map((name) => (
          <li key={name}>
            <CodeLink href={`/docs/objects/${name}`} name={name} />
          </li>
        ))}
      </ul>
    </Page>
  );
}
