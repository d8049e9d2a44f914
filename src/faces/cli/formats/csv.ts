import { stringify } from 'csv-stringify/sync';
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
      const rows = itemsOf(answer, selection).map((item) =>
        columns.map(({ path }) => cell(valueAt(item, path))),
      );
      const text = stringify(headed ? rows : [columns.map(({ name }) => name), ...rows], options);
      const mark = headed ? '' : csvMark(output.csv);
      headed = true;
      await stdout.write(stdout.isTTY ? printable(text) : `${mark}${text}`);
    },
    async end() {},
  };
}
