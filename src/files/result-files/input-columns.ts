import type { Endpoint } from '../../../lib/endpoint.js';
import { fromText } from '../../../lib/params/parse.js';
import { type InputAnswer, inputParams } from './result-file.js';
import { ownHeading, paramHeading } from './result-headings.js';

/** A column that identifies the input of a row. */
export interface InputColumn {
  readonly title: string;
  /** True for the user's own. */
  readonly isOwn: boolean;
  /** Returns null if the input has no value. */
  value(answer: Pick<InputAnswer, 'input' | 'own'>): unknown;
}

const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  input !== null && typeof input === 'object';

/** Returns a parameter of an input in its type. Null if it is missing, or the input was unreadable. */
export function inputValue({ params }: Pick<Endpoint, 'params'>, input: unknown, name: string): unknown {
  const value = isObject(input) ? (input[name] ?? null) : null;
  const schema = params[name];
  return typeof value === 'string' && schema !== undefined ? fromText(schema, value) : value;
}

/**
 * Returns the columns of an input: its parameters, and the user's own. `usedParams` limits the parameters to those that
 * occur.
 */
export function inputColumns(
  endpoint: Pick<Endpoint, 'params' | 'returns'>,
  ownColumns: readonly string[] = [],
  usedParams?: ReadonlySet<string>,
): readonly InputColumn[] {
  const params = inputParams(endpoint).filter((name) => usedParams?.has(name) !== false);
  return [
    ...params.map((name) => ({
      title: paramHeading(endpoint, name),
      isOwn: false,
      value: ({ input }: Pick<InputAnswer, 'input'>) => inputValue(endpoint, input, name),
    })),
    ...ownColumns.map((name) => ({
      title: ownHeading(endpoint, name),
      isOwn: true,
      // The user chose the name, and every object inherits `constructor`.
      value: ({ own }: Pick<InputAnswer, 'own'>) =>
        own !== undefined && Object.hasOwn(own, name) ? own[name] : null,
    })),
  ];
}

/** Returns the parameters that occur in inputs. */
export async function collectParams(
  lines: AsyncIterable<{ readonly input: unknown }>,
): Promise<ReadonlySet<string>> {
  const usedParams = new Set<string>();
  for await (const { input } of lines) {
    if (!isObject(input)) continue;
    for (const name of Object.keys(input)) usedParams.add(name);
  }
  return usedParams;
}
