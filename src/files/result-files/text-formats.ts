import { stringify } from 'csv-stringify/sync';
import { cell, csvMark, csvOptions } from '../../output/csv-cells.js';
import { type Selection, select, valueAt } from '../../output/selection.js';
import { csvLines } from './csv-lines.js';
import type { InputAnswer, ResultFileOptions, ResultFileWriter } from './result-file.js';
import { openTextFile, type TextLines } from './text-file.js';

/** Items as lines. */
function ndjsonText({ pick }: Selection): TextLines<unknown> {
  return {
    head: '',
    rows: ({ items }) => items,
    text: (items) => items.map((item) => `${JSON.stringify(pick(item))}\n`).join(''),
  };
}

/** An answer as the line of a batch has it. */
const lineOf = ({ input, items, error, changed }: InputAnswer, many: boolean) =>
  error === null
    ? { input, data: many ? items : items[0], ...(changed === undefined ? {} : { changed }) }
    : { input, error };

/** One array: of the items, or of the lines where several inputs are answered. */
function jsonText(
  { endpoint: { many }, inputs }: ResultFileOptions,
  { pick }: Selection,
): TextLines<unknown> {
  let separator = '\n';
  return {
    head: '[',
    rows: (answer) => (inputs ? [lineOf(answer, many)] : answer.items.map(pick)),
    text(rows) {
      if (rows.length === 0) return '';
      const text = separator + rows.map((row) => JSON.stringify(row)).join(',\n');
      separator = ',\n';
      return text;
    },
    tail: '\n]\n',
  };
}

/** Opens a file of text. Where several inputs are answered, each line of CSV and each object of JSON names its input. */
export function openTextFormat(
  file: string,
  options: ResultFileOptions,
  kind: 'csv' | 'tsv' | 'ndjson' | 'json',
): Promise<ResultFileWriter> {
  const { endpoint, inputs, csv = {} } = options;
  const selection = options.selection ?? select(endpoint.returns, endpoint.many, null);
  if (kind === 'ndjson') return openTextFile(file, ndjsonText(selection));
  if (kind === 'json') return openTextFile(file, jsonText(options, selection));
  const style = { ...csv, tabs: kind === 'tsv' };
  if (inputs) {
    const { head, rows, text } = csvLines(endpoint, style);
    return openTextFile(file, {
      head,
      rows: ({ input, items, error }) => rows({ input, items, error }),
      text,
    });
  }
  const { columns } = selection;
  const cells = csvOptions(style);
  const text = (rows: readonly (readonly unknown[])[]) => stringify(rows as unknown[][], cells);
  return openTextFile(file, {
    head: `${csvMark(style)}${text([columns.map(({ name }) => name)])}`,
    rows: ({ items }) => items.map((item) => columns.map(({ path }) => cell(valueAt(item, path)))),
    text,
  });
}
