import type { Endpoint } from '../../../lib/endpoint.js';
import { type InputAnswer, inputParams, inputValue } from './result-file.js';

/** A column that says which input a row answers. */
export interface InputColumn {
  readonly title: string;
  /** Null where the input does not say. */
  value(answer: Pick<InputAnswer, 'input' | 'own'>): unknown;
}

/** The columns of an input: its parameters, and what the user's own file had beside them. */
export function inputColumns(
  endpoint: Pick<Endpoint, 'params'>,
  own: readonly string[] = [],
): readonly InputColumn[] {
  return [
    ...inputParams(endpoint).map((name) => ({
      title: `input.${name}`,
      value: ({ input }: Pick<InputAnswer, 'input'>) => inputValue(input, name),
    })),
    ...own.map((name) => ({
      title: `own.${name}`,
      value: (answer: Pick<InputAnswer, 'own'>) => answer.own?.[name] ?? null,
    })),
  ];
}
