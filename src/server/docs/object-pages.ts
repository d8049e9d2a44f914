import { endpoints } from '../../../lib/endpoints.js';
import { componentSchemas, objectName } from '../openapi/schemas.js';
import { type Html, html, prose } from './html.js';
import { page, table } from './layout.js';

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

/** The page of one object: every key it has, always all of them. Null for a name that is none. */
export function objectPage(name: string): string | null {
  const schemas = componentSchemas() as Readonly<Record<string, Schema>>;
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (schema === undefined) return null;
  const answering = endpoints.filter(({ returns }) => objectName(returns) === name);
  const links = answering.map(
    ({ path }) => html`<li><a href="/docs/endpoints/${path}"><code>${path}</code></a></li>`,
  );
  const rows = fields(schema).map(([field, type, text]): [Html, string, Html] => [
    html`<code>${field}</code>`,
    type,
    prose(text),
  ]);
  return page(
    name,
    html`<p>Every key below is on every object, and no other. A value that the platform does not publish is <code>null</code>.</p>
${table(['Field', 'Type', 'Meaning'], rows)}
${links.length === 0 ? null : html`<h2>Answered by</h2><ul>${links}</ul>`}`,
  );
}

/** The list of all objects. */
export function objectsPage(): string {
  const links = objectNames().map(
    (name) => html`<li><a href="/docs/objects/${name}"><code>${name}</code></a></li>`,
  );
  return page('Objects', html`<ul>${links}</ul>`);
}
