import { stringify } from 'csv-stringify/sync';
import type { Endpoint } from '../../lib/endpoint.js';
import type { ExtractError } from '../../lib/errors/extract-error.js';
import { type InputResult, type LineFormat, lineError } from '../batch-files/line-format.js';
import { cell, csvOptions } from '../output/csv-cells.js';
import { select, valueAt } from '../output/selection.js';
import { type InputAnswer, inputParams, inputValue } from './result-file.js';

/** CSV of answers: a line of column names, and lines of an answer. */
export interface CsvLines {
  readonly head: string;
  lines(answer: Pick<InputAnswer, 'input' | 'items' | 'error'>): string;
}

/**
 * CSV with the same columns whatever comes, from the endpoint's parameters and its schema: the input, the fields,
 * the error. A row for each answer, or for each item where the answer is a list. `raw`: text as it is, formula or not.
 */
export function csvLines(endpoint: Endpoint, raw = false): CsvLines {
  const options = csvOptions(raw);
  const csvText = (rows: readonly (readonly unknown[])[]) => stringify(rows as unknown[][], options);
  const { columns } = select(endpoint.returns, endpoint.many, null);
  const params = inputParams(endpoint);
  const blank = columns.map(() => '');
  return {
    head: csvText([
      [
        ...params.map((name) => `input.${name}`),
        ...columns.map(({ name }) => name),
        'error.code',
        'error.message',
      ],
    ]),
    lines({ input, items, error }) {
      const before = params.map((name) => cell(inputValue(input, name) ?? ''));
      if (error !== null) return csvText([[...before, ...blank, error.code, error.message]]);
      return csvText(
        items.map((one) => [...before, ...columns.map(({ path }) => cell(valueAt(one, path))), '', '']),
      );
    },
  };
}

/** The same as the lines of a batch. */
export function csvFormat(endpoint: Endpoint, raw: boolean): LineFormat {
  const csv = csvLines(endpoint, raw);
  return {
    head: csv.head,
    lines({ item, json, error }: InputResult) {
      const input = item.params;
      if (json === null) {
        return csv.lines({ input, items: [], error: lineError(error as ExtractError, item) });
      }
      const data: unknown = JSON.parse(json);
      return csv.lines({ input, items: endpoint.many ? (data as readonly unknown[]) : [data], error: null });
    },
  };
}
