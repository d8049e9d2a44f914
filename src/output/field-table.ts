import { markdownTable } from './markdown-table.js';

export interface ObjectSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ObjectSchema[];
  readonly items?: ObjectSchema;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly format?: string;
  readonly $ref?: string;
}

function typeOf(schema: ObjectSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(' or ');
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.type === 'array')
    return `list of ${schema.items === undefined ? 'values' : typeOf(schema.items)}`;
  if (schema.format === 'date-time') return 'time (ISO 8601, UTC)';
  return [schema.type ?? 'value'].flat().join(' or ');
}

function describedBy({ description, anyOf }: ObjectSchema): string {
  return description ?? anyOf?.find((one) => one.description !== undefined)?.description ?? '';
}

/** Returns the fields; nested ones as `outer.inner` and `outer[].inner`. */
function fields(schema: ObjectSchema, prefix = ''): [string, string, string][] {
  return [schema, ...(schema.anyOf ?? [])].flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, field]) => {
      const inner = [field, ...(field.anyOf ?? [])].map((one) =>
        one.type === 'array'
          ? fields(one.items ?? {}, `${prefix}${name}[].`)
          : fields({ properties: one.properties ?? {} }, `${prefix}${name}.`),
      );
      const row: [string, string, string] = [`\`${prefix}${name}\``, typeOf(field), describedBy(field)];
      return [row, ...inner.flat()];
    }),
  );
}

/** Returns an object's fields, including nested ones, as a Markdown table. */
export const fieldTable = (schema: ObjectSchema) =>
  markdownTable(['Field', 'Type', 'Meaning'], fields(schema));
