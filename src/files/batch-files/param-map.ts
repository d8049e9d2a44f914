import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { suggestBefore } from '../../../lib/runtime/nearest-words.js';

/** Parameters, and the fields or columns that they are taken from: `--map id=video_id`. */
export type ParamMap = Readonly<Record<string, string>>;

/** Reads `param=field` pairs. Throws `invalid_parameter` for one that is none, or names no parameter. */
export function parseParamMap(pairs: readonly string[], { path, params }: Endpoint): ParamMap {
  const map: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name = '', field = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (name === '') {
      throw new ExtractError(
        'invalid_parameter',
        `--map takes PARAM=FIELD, such as id=video_id, not ${pair}.`,
      );
    }
    if (!Object.hasOwn(params, name)) {
      const known = Object.keys(params);
      const rest = suggestBefore(name, known, `It takes: ${known.join(', ')}.`);
      throw new ExtractError('unknown_parameter', `--map ${pair}: ${path} has no parameter ${name}. ${rest}`);
    }
    if (Object.hasOwn(map, name)) {
      throw new ExtractError('conflicting_parameters', `--map gives ${name} twice.`);
    }
    map[name] = field;
  }
  return map;
}

/** The value of a field, whose name may be a path with dots; undefined where there is none. */
export function fieldAt(record: Readonly<Record<string, unknown>>, field: string): unknown {
  if (Object.hasOwn(record, field)) return record[field];
  let value: unknown = record;
  for (const name of field.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
