import { endpoints } from '../../../../lib/endpoints.js';
import { componentSchemas, objectName } from '../openapi/schemas.js';
import { markdownTable } from './markdown-table.js';

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
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(' or ');
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

/** Every key of an object, always all of them. */
function fieldTable(name: string): string {
  const schema = (componentSchemas() as Readonly<Record<string, Schema>>)[name] ?? {};
  return markdownTable(
    ['Field', 'Type', 'Meaning'],
    fields(schema).map(([field, type, text]) => [`\`${field}\``, type, text]),
  );
}

const everyKey =
  'Every key below is on every object, and no other. A value that the platform does not publish is `null`.';

/** The text about an object where its fields are listed. */
export const fieldsMarkdown = (name: string) => `${everyKey}\n\n${fieldTable(name)}`;

/** The page of one object. */
export function objectPage(name: string): string {
  const returning = endpoints
    .filter(({ returns }) => objectName(returns) === name)
    .map(({ path }) => `- [\`${path}\`](/docs/endpoints/${path})`);
  const by = returning.length === 0 ? '' : `\n## Returned by\n\n${returning.join('\n')}\n`;
  return `# ${name}\n\n${fieldsMarkdown(name)}\n${by}`;
}

/** The list of all objects. */
export function objectsPage(): string {
  const list = objectNames().map((name) => `- [\`${name}\`](/docs/objects/${name})`);
  return `# Objects\n\nEvery object that the API returns, with its fields.\n\n${list.join('\n')}\n`;
}
