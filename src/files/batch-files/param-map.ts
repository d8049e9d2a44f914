import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { paramOfText } from '../../../lib/params/parse.js';
import { suggestBefore } from '../../../lib/runtime/nearest-words.js';
import { inputParams } from '../result-files/result-file.js';

/** The field or column for each parameter: `--map id=video_id`. */
export type ParamMap = Readonly<Record<string, string>>;

/** Parses `param=value` pairs. Throws for an invalid pair or an unknown name. */
function parsePairs(
  { option, example, pairs }: { option: string; example: string; pairs: readonly string[] },
  { path }: Endpoint,
  names: readonly string[],
): ParamMap {
  const map: Record<string, string> = {};
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (name === '') {
      throw invalidParameter(`${option} takes ${example}, not ${pair}.`);
    }
    if (!names.includes(name)) {
      const rest = suggestBefore(name, names, `It takes: ${names.join(', ')}.`);
      throw new ExtractError(
        'unknown_parameter',
        `${option} ${pair}: ${path} has no parameter ${name}. ${rest}`,
      );
    }
    if (Object.hasOwn(map, name)) {
      throw new ExtractError('conflicting_parameters', `${option} sets ${name} twice.`);
    }
    map[name] = value;
  }
  return map;
}

/** Parses the pairs of `--map`. Throws `invalid_parameter` for an invalid pair, or an unknown parameter. */
export function parseParamMap(pairs: readonly string[], endpoint: Endpoint): ParamMap {
  const format = { option: '--map', example: 'PARAM=FIELD, such as id=video_id', pairs };
  return parsePairs(format, endpoint, Object.keys(endpoint.params));
}

/** Parses the pairs of `--set`: parameters of every input. Throws `invalid_parameter` for an invalid value. */
export function parseSetParams(pairs: readonly string[], endpoint: Endpoint) {
  const format = { option: '--set', example: 'PARAM=VALUE, such as limit=5', pairs };
  const texts = parsePairs(format, endpoint, inputParams(endpoint));
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, paramOfText(endpoint, name, text)]),
  );
}

/** Returns the value at a path with dots; undefined if there is none. */
export function fieldAt(record: Readonly<Record<string, unknown>>, field: string): unknown {
  if (Object.hasOwn(record, field)) return record[field];
  let value: unknown = record;
  for (const name of field.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
