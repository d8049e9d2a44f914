import type * as z from 'zod';
import type { Endpoint } from '../../lib/endpoint.js';
import * as table from '../../lib/endpoints.js';
import { catalogue, type ErrorCode } from '../../lib/errors/extract-error.js';
import { casesOf } from '../../lib/samples.js';
import { constantsOf } from './exported-constants.js';
import { jsdoc } from './jsdoc.js';
import { capital } from './objects-module.js';
import { paramsText } from './params-text.js';

/** The functions of the table in order, each with its row. */
function functions(): readonly (readonly [name: string, endpoint: Endpoint])[] {
  const functions = Object.entries(table).flatMap(([name, value]) =>
    typeof value === 'function' ? ([[name, value.endpoint as Endpoint]] as const) : [],
  );
  return table.endpoints.map((endpoint) => {
    const entry = functions.find(([, one]) => one === endpoint);
    if (entry === undefined) throw new Error(`${endpoint.path} has no function.`);
    return entry;
  });
}

async function documentation(endpoint: Endpoint): Promise<string> {
  const codes = new Set((await casesOf(endpoint)).flatMap(({ error }) => error ?? []));
  const thrownCodes = (Object.keys(catalogue) as ErrorCode[]).filter((code) => codes.has(code));
  const hours = endpoint.cacheSeconds / 3600;
  return jsdoc(
    [
      `${endpoint.summary}.`,
      ...endpoint.description.split('\n\n'),
      `Costs ${endpoint.credits} credits. Answers are cached for ${hours} h.`,
    ],
    [
      `@throws ExtractError, whose \`code\` tells what happened: ${thrownCodes.map((code) => `\`${code}\``).join(', ')}, and those of any call.`,
    ],
  );
}

/** Returns the type of an endpoint's answer: the interface generated from its schema. */
function dataText({ returns, many }: Endpoint, types: ReadonlyMap<z.ZodType, string>): string {
  const name = types.get(returns);
  if (name === undefined) throw new Error('An endpoint answers with an object that has no name.');
  return many ? `${name}[]` : name;
}

/**
 * Returns the declarations of the table's functions with their parameters, and of the table itself. `imports` are lines
 * that import the objects; `types` has their names.
 */
export async function functionsModules(
  imports: readonly string[],
  types: ReadonlyMap<z.ZodType, string>,
): Promise<{ readonly functions: string; readonly table: string }> {
  const head = [...imports, "import type { EndpointCall, EndpointFunction } from './endpoint-function.js';"];
  const params: string[] = [];
  const members: string[] = [];
  const constants: string[] = [];
  const names: string[] = [];
  for (const [name, endpoint] of functions()) {
    const [about, data] = [await documentation(endpoint), dataText(endpoint, types)];
    const paramsType = `${capital(name)}Params`;
    names.push(paramsType);
    params.push(paramsText(endpoint, paramsType));
    members.push(`${about}\nreadonly ${name}: EndpointCall<${paramsType}, ${data}>;`);
    constants.push(`${about}\nexport declare const ${name}: EndpointFunction<${paramsType}, ${data}>;`);
  }
  const all = `/** The functions of the table by name. */\nexport interface Functions {\n${members.join('\n')}\n}`;
  const { others, textOf } = constantsOf('lib/endpoints.ts');
  const importOfParams = `import type { ${names.join(', ')} } from './functions.js';`;
  return {
    functions: [...head, ...params, all].join('\n\n'),
    table: [...head, importOfParams, ...constants, ...others.map(textOf)].join('\n\n'),
  };
}
