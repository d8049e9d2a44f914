import { stringify } from 'csv-stringify/sync';
import { cell, csvOptions } from '../output/csv-cells.js';
import { select, valueAt } from '../output/selection.js';
import { csvLines } from './csv-format.js';
import type { InputAnswer, ResultFileOptions, ResultFileWriter } from './result-file.js';
import { openTextFile } from './text-file.js';

/** Opens a file of CSV or NDJSON. Where several inputs are answered, each line names its input. */
export function openTextFormat(
  file: string,
  { endpoint, inputs, selection: chosen, csvRaw = false }: ResultFileOptions,
  kind: 'csv' | 'ndjson',
): Promise<ResultFileWriter> {
  const selection = chosen ?? select(endpoint.returns, endpoint.many, null);
  if (kind === 'ndjson') {
    const lineOf = (item: unknown) => `${JSON.stringify(selection.pick(item))}\n`;
    return openTextFile(file, '', ({ items }) => items.map(lineOf).join(''));
  }
  if (inputs) {
    const csv = csvLines(endpoint, { raw: csvRaw });
    return openTextFile(file, csv.head, ({ input, items, error }) => csv.lines({ input, items, error }));
  }
  const { columns } = selection;
  const options = csvOptions(csvRaw);
  const text = (rows: readonly (readonly unknown[])[]) => stringify(rows as unknown[][], options);
  const lines = ({ items }: InputAnswer) =>
    text(items.map((item) => columns.map(({ path }) => cell(valueAt(item, path)))));
  return openTextFile(file, text([columns.map(({ name }) => name)]), lines);
}
