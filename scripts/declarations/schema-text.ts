import * as z from 'zod';
import { jsdoc } from './jsdoc.js';

type Type = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** The subset of JSON Schema used by the contract's objects and parameters. */
interface JsonSchema {
  readonly type?: Type | readonly Type[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');
const key = (name: string) => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`);

/** Formats one field with its description. Throws for a field without one, because editors would show nothing. */
export function field(
  name: string,
  type: string,
  description: readonly string[],
  isOptional = false,
): string {
  if (description[0] === undefined) throw new Error(`The field ${name} has no description.`);
  return indented(`${jsdoc(description)}\n${key(name)}${isOptional ? '?' : ''}: ${type};`);
}

/** Returns a field's description, or else the description of its only non-null type. */
function descriptionOf({ description, anyOf = [] }: JsonSchema): string | undefined {
  return description ?? anyOf.map(descriptionOf).find((text) => text !== undefined);
}

function objectText({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, one]) => {
    if (!required.includes(name)) throw new Error(`The field ${name} is not always there.`);
    const description = descriptionOf(one);
    return field(name, typeText(one), description === undefined ? [] : [description]);
  });
  return `{\n${fields.join('\n')}\n}`;
}

function typeText(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeText).join(' | ');
  if (schema.enum !== undefined) return schema.enum.map((word) => `'${word}'`).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'object':
      return objectText(schema);
    case 'array': {
      const item = typeText(schema.items as JsonSchema);
      return /^[^{]* \| /.test(item) || / \| [^}]*$/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    default:
      throw new Error(`There is no type for ${JSON.stringify(schema)}.`);
  }
}

/** Returns the output type of a schema as text. A named type is spelled out, not referred to. */
export function outputText(schema: z.ZodType): string {
  const { $defs = {}, ...rest } = z.toJSONSchema(schema);
  const definition = $defs[schema.meta()?.id ?? ''];
  return typeText((definition ?? rest) as JsonSchema);
}

/** Returns the input type of a schema as text. */
export function inputText(schema: z.ZodType): string {
  return typeText(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema);
}
