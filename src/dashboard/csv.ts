import { stringify } from 'csv-stringify/sync';

/** Rows as CSV. A cell that a spreadsheet would take for a formula is made plain text. */
export function csvText(columns: readonly string[], rows: readonly object[]): string {
  return stringify([...rows], {
    columns: [...columns],
    header: true,
    escape_formulas: true,
    record_delimiter: '\r\n',
  });
}
