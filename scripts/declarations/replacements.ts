import type * as z from 'zod';
import { endpoints } from '../../lib/endpoints.js';
import { functionsModules } from './functions-modules.js';
import { objectsModule } from './objects-module.js';

/** The types of schemas for users who cannot import zod's. */
const schema = `
/** A schema, such as the schema of an endpoint's object. */
export interface Schema<Output = unknown> {
  /** The value, checked. Throws if it does not match the schema. */
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
        /** The fault. */
        readonly error: Error;
      };
}
`;

/**
 * Returns declarations, by path from the root, for the modules of `lib` whose types are inferred by zod: the objects,
 * the functions and their parameters, with the descriptions of schemas and table.
 */
export async function replacements(): Promise<ReadonlyMap<string, string>> {
  const modules = new Map([['lib/schema.ts', schema]]);
  const types = new Map<z.ZodType, string>();
  const imports: string[] = [];
  for (const platform of new Set(endpoints.map((endpoint) => endpoint.platform))) {
    const folder = `platforms/${platform}/objects`;
    const module = await objectsModule(`lib/${folder}.ts`);
    modules.set(`lib/${folder}.ts`, module.text);
    for (const [object, name] of module.types) types.set(object, name);
    imports.push(`import type { ${[...module.types.values()].join(', ')} } from './${folder}.js';`);
  }
  const ledger = await objectsModule('lib/ledger/usage-row.ts');
  modules.set('lib/ledger/usage-row.ts', ledger.text.replaceAll(/^ {2}(?=\w+: )/gm, '$&readonly '));
  const { functions, table } = await functionsModules(imports, types);
  return modules.set('lib/functions.ts', functions).set('lib/endpoints.ts', table);
}
