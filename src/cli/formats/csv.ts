import { stringify } from 'csv-stringify/sync';
import { valueAt } from '../../output/selection.js';
import { printable } from '../printable.js';
import { itemsOf, type Writer, type WriterOptions } from './writer.js';

/**
 * Text that a spreadsheet would run as a formula is opened by an apostrophe, which it takes as “this is text”.
 * A plain signed number is no formula. The full-width signs are read as the narrow ones in some settings.
 */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}

/** A value as csv-stringify is to take it: lists and free-form objects as JSON text. */
export function cell(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
}

/** How lines of cells become CSV, wherever they come from. */
export const csvOptions = {
  cast: { string: escapeFormula, boolean: String },
  quoted_match: /[\r\n]/,
};

/** A line of column names, then a line an item; the columns are the schema's. */
export function csvWriter({ selection, stdout }: WriterOptions): Writer {
  const { columns } = selection;
  let headed = false;
  return {
    async page(answer) {
      const rows = itemsOf(answer, selection).map((item) =>
        columns.map(({ path }) => cell(valueAt(item, path))),
      );
      const text = stringify(headed ? rows : [columns.map(({ name }) => name), ...rows], csvOptions);
      headed = true;
      await stdout.write(stdout.isTTY ? printable(text) : text);
    },
    async end() {},
  };
}
