import { interestingColumns, valueAt } from '../../../output/selection.js';
import { printableLine } from '../printable.js';
import { itemsOf, type Writer, type WriterOptions } from './writer.js';

const isObject = (value: unknown) => value !== null && typeof value === 'object';

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && !value.some(isObject)) return value.map(cellText).join(', ');
  return printableLine(isObject(value) ? JSON.stringify(value) : String(value));
}

/**
 * Writes each item as a line of cells separated by tabs, without a header: the columns of a terminal's table, not
 * truncated.
 */
export function linesWriter({ selection, stdout }: WriterOptions): Writer {
  const columns = selection.chosen ? selection.columns : interestingColumns(selection);
  return {
    async add(answer) {
      const lines = itemsOf(answer, selection).map(
        (item) => `${columns.map(({ path }) => cellText(valueAt(item, path))).join('\t')}\n`,
      );
      if (lines.length > 0) await stdout.write(lines.join(''));
    },
    async end() {},
  };
}
