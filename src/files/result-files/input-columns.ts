import type { Endpoint } from '../../../lib/endpoint.js';
import { fromText } from '../../../lib/params/parse.js';
import { type InputAnswer, inputParams } from './result-file.js';

/** A column that says which input a row answers. */
export interface InputColumn {
  readonly title: string;
  /** Null where the input does not say. */
  value(answer: Pick<InputAnswer, 'input' | 'own'>): unknown;
}

const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  input !== null && typeof input === 'object';

/**
 * A parameter of an input, of the parameter's type also where it was given as text. Null where it was not given, or the
 * input could not be read.
 */
export function inputValue({ params }: Pick<Endpoint, 'params'>, input: unknown, name: string): unknown {
  const value = isObject(input) ? (input[name] ?? null) : null;
  const schema = params[name];
  return typeof value === 'string' && schema !== undefined ? fromText(schema, value) : value;
}

/**
 * The columns of an input: its parameters, and what the user's own file had beside them. With `given`, parameters that no
 * input gives have none.
 */
export function inputColumns(
  endpoint: Pick<Endpoint, 'params'>,
  own: readonly string[] = [],
  given?: ReadonlySet<string>,
): readonly InputColumn[] {
  const params = inputParams(endpoint).filter((name) => given?.has(name) !== false);
  return [
    ...params.map((name) => ({
      title: `input.${name}`,
      value: ({ input }: Pick<InputAnswer, 'input'>) => inputValue(endpoint, input, name),
    })),
    ...own.map((name) => ({
      title: `own.${name}`,
      // The name is the user's: each object has a `constructor`.
      value: ({ own }: Pick<InputAnswer, 'own'>) =>
        own !== undefined && Object.hasOwn(own, name) ? own[name] : null,
    })),
  ];
}

/** The parameters that some inputs give. */
export async function givenParams(inputs: AsyncIterable<unknown>): Promise<ReadonlySet<string>> {
  const given = new Set<string>();
  for await (const input of inputs) {
    if (!isObject(input)) continue;
    for (const name of Object.keys(input)) given.add(name);
  }
  return given;
}
