import { asksForSample } from '../../../lib/call/call-request.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import { isRecord } from '../../../lib/read/json.js';
import { nearestWords } from '../../../lib/runtime/nearest-words.js';
import type { OwnValues } from '../result-files/result-file.js';
import { invalidInput, type ParsedInput, parsedInput } from './input.js';
import { type KnownSource, objectKind, paramsOfItem } from './item-params.js';
import type { Line } from './lines.js';
import { fieldAt, type ParamMap } from './param-map.js';

type Values = Readonly<Record<string, unknown>>;

export interface ObjectTarget {
  readonly endpoint: Endpoint;
  readonly map: ParamMap;
  /** True if the output has no room for the user's columns, so that they are rejected. */
  readonly parametersOnly: boolean;
  readonly maxItems: number;
  /** Called for a line of results that is an error without items. */
  readonly onLeftOut: () => void;
  /** Called for a table row without a value for the endpoint; if omitted, the row fails. */
  readonly onBlank?: (() => void) | undefined;
}

/** True for a line of results, or an answer: `data`, or the error of an input. */
const isResult = (value: Values) =>
  Object.hasOwn(value, 'data') || (Object.hasOwn(value, 'input') && Object.hasOwn(value, 'error'));

/** True if a name is a misspelled or renamed parameter, rather than the user's own column. */
export function isSlip(name: string, { params, renamed }: Pick<Endpoint, 'params' | 'renamed'>): boolean {
  if (Object.hasOwn(renamed, name)) return true;
  // One letter in four may differ: “url” is not a misspelling of “id”, nor “name” of “username”.
  const near = nearestWords(name, Object.keys(params));
  return near.some((one) => Math.abs(one.length - name.length) <= 1 && name.length > 3);
}

const withOwn = (input: ParsedInput, ownValues: OwnValues | undefined): ParsedInput =>
  ownValues === undefined || Object.keys(ownValues).length === 0 ? input : { ...input, own: ownValues };

/** Returns the parameters that `--map` takes from a record, or the name of a missing field. */
function mapped(record: Values, map: ParamMap): { params: Values } | { missing: string } {
  const params: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(map)) {
    const value = fieldAt(record, field);
    if (value === undefined || value === null || value === '') return { missing: field };
    params[name] = value;
  }
  return { params };
}

interface FoundItem {
  readonly item: Values;
  readonly source: KnownSource | undefined;
  readonly ownValues: OwnValues | undefined;
  /** Further values for `--map`. */
  readonly beside: Values;
  /** True for a sample item, which the platform does not have. */
  readonly isSample?: boolean | undefined;
}

export function itemInput(
  line: Line,
  { item, source, ownValues, beside, isSample = false }: FoundItem,
  { endpoint, map }: Pick<ObjectTarget, 'endpoint' | 'map'>,
): ParsedInput {
  const asking = (params: Values) => {
    const inputParams = isSample ? { ...params, demo: true } : params;
    return withOwn(parsedInput(line, inputParams, JSON.stringify(inputParams), false), ownValues);
  };
  if (Object.keys(map).length > 0) {
    const mapping = mapped({ ...beside, source, own: ownValues, ...item }, map);
    if ('missing' in mapping) return invalidInput(line, `has no ${mapping.missing}, which --map names`);
    return asking(mapping.params);
  }
  const params = paramsOfItem(endpoint, item, source);
  if (params === null) {
    const kind = objectKind(item) ?? 'an object';
    return invalidInput(
      line,
      `is ${kind}, which has no input for ${endpoint.path}; choose a field with --map PARAM=FIELD`,
    );
  }
  return asking(params);
}

/** Yields an input for each item in a line of results. */
function* resultInputs(line: Line, value: Values, target: ObjectTarget): Generator<ParsedInput> {
  const { data, sources, own, input } = value;
  if (!Object.hasOwn(value, 'data')) return target.onLeftOut();
  // A condition or an earlier run omitted this object, so it requests nothing.
  if (data === null && Object.hasOwn(value, 'left_out')) return;
  const items = Array.isArray(data) ? data : [data];
  const allSources = Array.isArray(sources) ? (sources as readonly ItemSource[]) : [];
  const ofAll = {
    ownValues: isRecord(own) ? own : undefined,
    beside: { input },
    isSample: isRecord(input) && asksForSample(input, true),
  };
  for (const [at, item] of items.slice(0, target.maxItems).entries()) {
    const context = { source: allSources[at], ...ofAll };
    if (isRecord(item)) yield itemInput(line, { item, ...context }, target);
    else yield invalidInput(line, 'has an item that is not an object');
  }
}

/** Returns the input for an object of parameters, with the user's own values. */
function paramsInput(
  line: Line,
  value: Values,
  { endpoint, map, parametersOnly }: ObjectTarget,
): ParsedInput {
  // Copying would set the prototype, and it is not a parameter anyway.
  if (parametersOnly || Object.hasOwn(value, '__proto__')) return parsedInput(line, value, line.text, false);
  const mapping = mapped(value, map);
  if ('missing' in mapping) return invalidInput(line, `has no ${mapping.missing}, which --map names`);
  const mappedFields = new Set(Object.values(map));
  const params: Record<string, unknown> = { ...mapping.params };
  const ownValues: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    if (mappedFields.has(name) && !Object.hasOwn(endpoint.params, name)) continue;
    if (Object.hasOwn(endpoint.params, name) || isSlip(name, endpoint)) params[name] ??= one;
    else ownValues[name] = one;
  }
  // Not an input; the parameter check explains what is wrong with it.
  if (Object.keys(params).length === 0) return parsedInput(line, value, line.text, false);
  return withOwn(parsedInput(line, params, JSON.stringify(params), false), ownValues);
}

/** Yields the inputs of an object: parameters, an item, or a line of results with all its items. */
export function* objectInputs(line: Line, value: Values, target: ObjectTarget): Generator<ParsedInput> {
  const { endpoint, map } = target;
  const isMapped = Object.keys(map).length > 0;
  if (!isMapped && Object.keys(value).every((name) => Object.hasOwn(endpoint.params, name))) {
    yield parsedInput(line, value, line.text, false);
  } else if (isResult(value)) yield* resultInputs(line, value, target);
  else if (objectKind(value) !== null) {
    yield itemInput(line, { item: value, source: undefined, ownValues: undefined, beside: {} }, target);
  } else yield paramsInput(line, value, target);
}

/** Returns the fault of an input with a column that the output lacks. */
export function columnFault({ line }: ParsedInput, name: string): ExtractError {
  return new ExtractError(
    'invalid_body',
    `Line ${line} has ${JSON.stringify(name.slice(0, 80))} as an additional column: the first input determines the columns of a table.`,
  );
}
