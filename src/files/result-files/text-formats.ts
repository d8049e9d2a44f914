import { stringify } from 'csv-stringify/sync';
import { cell, csvOptions } from '../../output/csv-cells.js';
import { select, valueAt } from '../../output/selection.js';
import { csvLines } from './csv-lines.js';
import type { ResultFileOptions, ResultFileWriter } from './result-file.js';
import { openTextFile } from './text-file.js';

/** Opens a file of CSV or NDJSON. Where several inputs are answered, each line names its input. */
export function openTextFormat(
  file: string,
  { endpoint, inputs, selection: chosen, csvRaw = false }: ResultFileOptions,
  kind: 'csv' | 'ndjson',
): Promise<ResultFileWriter> {
  const selection = chosen ?? select(endpoint.returns, endpoint.many, null);
  if (kind === 'ndjson') {
    return openTextFile(file, {
      head: '',
      rows: ({ items }) => items,
      text: (items) => items.map((item) => `${JSON.stringify(selection.pick(item))}\n`).join(''),
    });
  }
  if (inputs) {
    const { head, rows, text } = csvLines(endpoint, { raw: csvRaw });
    return openTextFile(file, {
      head,
      rows: ({ input, items, error }) => rows({ input, items, error }),
      text,
    });
  }
  const { columns } = selection;
  const options = csvOptions(csvRaw);
  const text = (rows: readonly (readonly unknown[])[]) => stringify(rows as unknown[][], options);
  return openTextFile(file, {
    head: text([columns.map(({ name }) => name)]),
    rows: ({ items }) => items.map((item) => columns.map(({ path }) => cell(valueAt(item, path)))),
    text,
  });
}
