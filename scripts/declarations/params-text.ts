import type { Endpoint } from '../../lib/endpoint.js';
import { describe } from '../../lib/params/describe.js';
import { jsdoc } from './jsdoc.js';
import { field, inputText } from './schema-text.js';

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Describes a parameter's meaning, values and default. */
function description(endpoint: Endpoint, name: string): string[] {
  const schema = endpoint.params[name];
  if (schema === undefined) throw new Error(`${endpoint.path} has no parameter ${name}.`);
  const { text, expects, default: fallback } = describe(schema);
  if (text === '') return [];
  const without = fallback === undefined ? '' : `; ${fallback} by default`;
  return [`${text}.`, `${sentence(expects)}${without}.`];
}

function params(endpoint: Endpoint, required: string | null): string {
  const pair: readonly string[] = endpoint.exactlyOne ?? [];
  const fields = Object.entries(endpoint.params).map(([name, schema]) => {
    const about = description(endpoint, name);
    if (pair.includes(name)) {
      return name === required
        ? field(name, inputText(schema), about)
        : field(name, 'undefined', [...about, `Not beside ${required}.`], true);
    }
    const isOptional = schema.safeParse(undefined).success;
    return field(name, `${inputText(schema)}${isOptional ? ' | undefined' : ''}`, about, isOptional);
  });
  return `{\n${fields.join('\n')}\n}`;
}

/** Returns the parameters of an endpoint as a type of plain objects, or two types if one of a pair is mandatory. */
export function paramsText(endpoint: Endpoint, name: string): string {
  if (endpoint.exactlyOne === null) {
    return `${jsdoc([`What \`${endpoint.path}\` is asked.`])}\nexport interface ${name} ${params(endpoint, null)}`;
  }
  const about = `What \`${endpoint.path}\` is asked: exactly one of \`${endpoint.exactlyOne.join('` and `')}\`.`;
  const either = endpoint.exactlyOne.map((required) => `  | ${params(endpoint, required)}`);
  return `${jsdoc([about])}\nexport type ${name} =\n${either.join('\n')};`;
}
