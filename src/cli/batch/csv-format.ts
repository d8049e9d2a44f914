import { stringify } from 'csv-stringify/sync';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ExtractError } from '../../../lib/errors/extract-error.js';
import { type InputResult, type LineFormat, lineError } from '../../batch-files/line-format.js';
import { select, valueAt } from '../../output/selection.js';
import { cell, csvOptions } from '../formats/csv.js';

/** Parameters of how a call runs, which no column shows. */
const ofTheCall: ReadonlySet<string> = new Set(['cursor', 'fresh', 'demo']);

/**
 * CSV with the same columns whatever comes, from the endpoint's parameters and its schema: the input, the fields,
 * the error. A row for each answer, or for each item where the answer is a list. `raw`: text as it is, formula or not.
 */
export function csvFormat({ params, returns, many }: Endpoint, raw: boolean): LineFormat {
  const options = csvOptions(raw);
  const { columns } = select(returns, many, null);
  const given = Object.keys(params).filter((name) => !ofTheCall.has(name));
  const blank = columns.map(() => '');

  const inputCells = ({ item }: InputResult) => given.map((name) => cell(item.params?.[name] ?? ''));
  const lines = (rows: readonly (readonly unknown[])[]) => stringify(rows as unknown[][], options);
  return {
    head: lines([
      [
        ...given.map((name) => `input.${name}`),
        ...columns.map(({ name }) => name),
        'error.code',
        'error.message',
      ],
    ]),
    lines(result) {
      const before = inputCells(result);
      if (result.json === null) {
        const { code, message } = lineError(result.error as ExtractError, result.item);
        return lines([[...before, ...blank, code, message]]);
      }
      const data: unknown = JSON.parse(result.json);
      const items = many ? (data as readonly unknown[]) : [data];
      return lines(
        items.map((one) => [...before, ...columns.map(({ path }) => cell(valueAt(one, path))), '', '']),
      );
    },
  };
}
