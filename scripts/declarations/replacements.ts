import path from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import type { Endpoint } from '../../lib/endpoint.js';
import * as table from '../../lib/endpoints.js';
import { endpoints } from '../../lib/endpoints.js';
import { catalogue, type ErrorCode } from '../../lib/errors.js';
import { packageRoot } from '../../lib/root.js';
import { casesOf } from '../../lib/samples.js';
import { jsdoc } from './jsdoc.js';
import { paramsText } from './params-text.js';
import { outputText } from './schema-text.js';

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** The functions of the table in its order, each with its row. */
function functions(): readonly (readonly [name: string, endpoint: Endpoint])[] {
  const named = Object.entries(table).flatMap(([name, value]) =>
    typeof value === 'function' ? ([[name, value.endpoint as Endpoint]] as const) : [],
  );
  return endpoints.map((endpoint) => {
    const found = named.find(([, one]) => one === endpoint);
    if (found === undefined) throw new Error(`${endpoint.path} has no function.`);
    return found;
  });
}

/** An exported constant of a source file, the comment before it, and the file's other exports as they stand. */
interface Constants {
  readonly names: readonly { readonly name: string; readonly comment: string }[];
  readonly others: readonly ts.Statement[];
  textOf(statement: ts.Statement): string;
}

function constantsOf(file: string): Constants {
  const text = ts.sys.readFile(path.join(packageRoot(), file)) ?? '';
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const isExported = (statement: ts.Statement) => /^export\b/.test(statement.getText(source));
  const exported = source.statements.filter(isExported);
  const names = exported.filter(ts.isVariableStatement).map((statement) => ({
    name: statement.declarationList.declarations.map(({ name }) => name.getText(source)).join(),
    comment: (ts.getLeadingCommentRanges(text, statement.pos) ?? [])
      .map(({ pos, end }) => text.slice(pos, end))
      .join('\n'),
  }));
  const others = exported.filter((statement) => !ts.isVariableStatement(statement));
  return { names, others, textOf: (statement) => statement.getFullText(source).trim() };
}

/** The objects of a platform: an interface for each schema, and the schema as whoever has no zod sees it. */
async function objects(file: string): Promise<string> {
  const schemas: Readonly<Record<string, z.ZodType>> = await import(path.join(packageRoot(), file));
  const { names, others, textOf } = constantsOf(file);
  const texts = names.map(({ name, comment }) => {
    const schema = schemas[name];
    if (!(schema instanceof z.ZodType)) throw new Error(`${file}: ${name} is no schema.`);
    const type = capital(name);
    const about = jsdoc([`Checks a \`${type}\`.`]);
    return `${comment}\nexport interface ${type} ${outputText(schema)}\n${about}\nexport declare const ${name}: Schema<${type}>;`;
  });
  const parts = others.map(textOf).filter((text) => !/\bz\./.test(text));
  return ["import type { Schema } from '../../schema.js';", ...texts, ...parts].join('\n\n');
}

async function documentation(endpoint: Endpoint): Promise<string> {
  const codes = new Set((await casesOf(endpoint)).flatMap(({ error }) => error ?? []));
  const known = (Object.keys(catalogue) as ErrorCode[]).filter((code) => codes.has(code));
  const hours = endpoint.cacheSeconds / 3600;
  return jsdoc(
    [
      `${endpoint.summary}.`,
      ...endpoint.description.split('\n\n'),
      `Costs ${endpoint.credits} credits; an answer is kept for ${hours} ${hours === 1 ? 'hour' : 'hours'}.`,
    ],
    [
      `@throws ExtractError, whose \`code\` tells what happened: ${known.map((code) => `\`${code}\``).join(', ')}, and those of any call.`,
    ],
  );
}

/** The type of what an endpoint answers: the interface that `objects` made of its schema. */
function dataText({ returns, many }: Endpoint, places: ReadonlyMap<z.ZodType, string>): string {
  const name = places.get(returns);
  if (name === undefined) throw new Error('An endpoint answers with an object that has no name.');
  return many ? `${name}[]` : name;
}

/**
 * The modules of `lib` whose types zod makes, as declarations that say the same without it: the objects, the
 * functions and their parameters with the descriptions of the schemas and the table. By path from the root.
 */
export async function replacements(): Promise<ReadonlyMap<string, string>> {
  const files = [...new Set(endpoints.map(({ platform }) => `lib/platforms/${platform}/objects.ts`))];
  const modules = new Map<string, string>();
  const names = new Map<z.ZodType, string>();
  const imports: string[] = [];
  for (const file of files) {
    modules.set(file, await objects(file));
    const schemas = Object.entries((await import(path.join(packageRoot(), file))) as object);
    for (const [name, schema] of schemas) names.set(schema, capital(name));
    imports.push(
      `import type { ${schemas.map(([name]) => capital(name)).join(', ')} } from './${file.slice(4, -3)}.js';`,
    );
  }
  const head = [
    ...imports,
    "import type { Envelope } from './envelope.js';",
    "import type { EndpointFunction, FunctionOptions } from './offer.js';",
  ];
  const params = functions().map(([name, endpoint]) => paramsText(endpoint, `${capital(name)}Params`));
  const members: string[] = [];
  const constants: string[] = [];
  for (const [name, endpoint] of functions()) {
    const [about, data] = [await documentation(endpoint), dataText(endpoint, names)];
    members.push(
      `${about}\nreadonly ${name}: (params: ${capital(name)}Params, options?: FunctionOptions) => Promise<Envelope<${data}>>;`,
    );
    constants.push(
      `${about}\nexport declare const ${name}: EndpointFunction<${capital(name)}Params, ${data}>;`,
    );
  }
  modules.set(
    'lib/functions.ts',
    [
      ...head,
      ...params,
      `/** The functions of the table by name. */\nexport interface Functions {\n${members.join('\n')}\n}`,
    ].join('\n\n'),
  );
  const paramNames = functions().map(([name]) => `${capital(name)}Params`);
  const { others, textOf } = constantsOf('lib/endpoints.ts');
  modules.set(
    'lib/endpoints.ts',
    [
      ...head,
      `import type { ${paramNames.join(', ')} } from './functions.js';`,
      ...constants,
      ...others.map(textOf),
    ].join('\n\n'),
  );
  modules.set('lib/schema.ts', schema);
  return modules;
}

/** What zod's schemas are to whoever cannot import zod's types. */
const schema = `
/** A schema, such as that of an object that an endpoint answers with. */
export interface Schema<Output = unknown> {
  /** The value, checked. Throws where it is not what the schema describes. */
  parse(value: unknown): Output;
  /** The same without throwing. */
  safeParse(value: unknown):
    | {
        /** The value is what the schema describes. */
        readonly success: true;
        /** The value, checked. */
        readonly data: Output;
        /** Nothing is wrong. */
        readonly error?: undefined;
      }
    | {
        /** The value is not what the schema describes. */
        readonly success: false;
        /** There is no checked value. */
        readonly data?: undefined;
        /** What is wrong. */
        readonly error: Error;
      };
}
`;
