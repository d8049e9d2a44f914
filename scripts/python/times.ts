import { componentSchemas } from '../../src/faces/server/openapi/schemas.js';
import { docstring, joinLines, moduleText } from './source.js';

/** Returns the names of all properties of a schema, at any depth, whose value is a time. */
function timesIn(schema: unknown, name = ''): string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const { format, properties, ...rest } = schema as {
    readonly format?: unknown;
    readonly properties?: object;
  };
  const here = format === 'date-time' && name !== '' ? [name] : [];
  const inner = Object.entries(properties ?? {}).flatMap(([key, value]) => timesIn(value, key));
  return [...here, ...inner, ...Object.values(rest).flatMap((value) => timesIn(value, name))];
}

/** Returns the module with the names of fields that hold a time. */
export function timesModule(): string {
  const names = [...new Set(timesIn(componentSchemas()))].sort().map((name) => JSON.stringify(name));
  const about = docstring(['Fields of objects, sources and answers that hold a time (ISO 8601 UTC).']);
  return moduleText(
    'Which fields are times.',
    [],
    [`TIMES = frozenset({\n${joinLines(names)}\n})\n${about}`],
  );
}
