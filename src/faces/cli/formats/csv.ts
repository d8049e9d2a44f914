import { stringify } from 'csv-stringify/sync';
import { sourceCells, sourceColumns } from '../../../files/result-files/source-columns.js';
import { cell, csvMark, csvOptions } from '../../../output/csv-cells.js';
import { valueAt } from '../../../output/selection.js';
import { printable } from '../printable.js';
import { itemsOf, type Writer, type WriterOptions } from './writer.js';

/** A line of column names, then a line an item; the columns are the schema's. */
export function csvWriter({ selection, stdout, output }: WriterOptions): Writer {
  const { columns } = selection;
  const options = csvOptions(output.csv);
  let headed = false;
  return {
    async page(answer) {
      const rows = itemsOf(answer, selection).map((item, index) => [
        ...columns.map(({ path }) => cell(valueAt(item, path))),
        ...(output.sources ? sourceCells(answer.sources?.[index], 0).map((value) => cell(value ?? '')) : []),
      ]);
      const head = [...columns, ...(output.sources ? sourceColumns : [])].map(({ name }) => name);
      const text = stringify(headed ? rows : [head, ...rows], options);
      const mark = headed ? '' : csvMark(output.csv);
      headed = true;
      await stdout.write(stdout.isTTY ? printable(text) : `${mark}${text}`);
    },
    async end() {},
  };
}
