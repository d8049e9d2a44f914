import { isRecord } from '../../../lib/read/json.js';
import type { Traces } from '../../../lib/suppressions/traces.js';
import { jsonOf } from '../../output/json-text.js';

type Fields = Readonly<Record<string, unknown>>;

/** Returns a line of results without the items that mention a subject; null if the line itself does. */
export function lineWithout(line: string, traces: Traces): string | null {
  if (!traces.in(line)) return line;
  const value = jsonOf(line);
  const rest = isRecord(value) ? fieldsWithout(value, traces) : null;
  return rest === null ? null : JSON.stringify(rest);
}

function fieldsWithout(line: Fields, traces: Traces): Fields | null {
  const { data, sources } = line;
  if (!Array.isArray(data)) return null;
  const names = (value: unknown) => traces.in(JSON.stringify(value));
  const sourceOf = (at: number): unknown => (Array.isArray(sources) ? sources[at] : undefined);
  const remaining = data.flatMap((item, at) => (names(item) || names(sourceOf(at)) ? [] : [at]));
  const rest = {
    ...line,
    data: remaining.map((at) => data[at] as unknown),
    ...(Array.isArray(sources) ? { sources: remaining.map(sourceOf) } : {}),
  };
  return names(rest) ? null : rest;
}
