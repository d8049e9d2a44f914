import path from 'node:path';
import * as z from 'zod';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { constantsOf } from './exported-constants.js';
import { jsdoc } from './jsdoc.js';
import { outputText } from './schema-text.js';

export const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** A declaration module that replaces one of `lib`, with the schemas of its types by name. */
export interface ObjectsModule {
  readonly text: string;
  readonly types: ReadonlyMap<z.ZodType, string>;
}

/** Returns the objects of a module: an interface for each schema, and the schema as users without zod see it. */
export async function objectsModule(file: string): Promise<ObjectsModule> {
  const types = new Map<z.ZodType, string>();
  const schemas: Readonly<Record<string, z.ZodType>> = await import(path.join(packageRoot(), file));
  const { names, others, textOf } = constantsOf(file);
  const texts = names.map(({ name, comment }) => {
    const schema = schemas[name];
    if (!(schema instanceof z.ZodType)) throw new Error(`${file}: ${name} is no schema.`);
    const type = capital(name);
    types.set(schema, type);
    const about = jsdoc([`Checks a \`${type}\`.`]);
    return `${comment}\nexport interface ${type} ${outputText(schema)}\n${about}\nexport declare const ${name}: Schema<${type}>;`;
  });
  const parts = others.map(textOf).filter((text) => !/\bz\./.test(text));
  const lib = path.relative(path.dirname(file), 'lib');
  const head = `import type { Schema } from '${lib}/schema.js';`;
  return { text: [head, ...texts, ...parts].join('\n\n'), types };
}
