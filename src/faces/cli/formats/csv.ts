import { itemCsv } from '../../../files/result-files/csv-lines.js';
import { csvMark } from '../../../output/csv-cells.js';
import { printable } from '../printable.js';
import { itemsOf, type Writer, type WriterOptions } from './writer.js';

/** Writes a header, then one line per item; the columns are the schema's. */
export function csvWriter({ selection, stdout, output }: WriterOptions): Writer {
  const csv = itemCsv(selection, output.csv, output.sources);
  const mark = csvMark(output.csv);
  let head = csv.head;
  return {
    async add(answer) {
      const rows = csv.rows({ index: 0, items: itemsOf(answer, selection), sources: answer.sources });
      const text = `${head}${csv.text(rows)}`;
      head = '';
      await stdout.write(stdout.isTTY ? printable(text.replace(mark, '')) : text);
    },
    async end() {},
  };
}
