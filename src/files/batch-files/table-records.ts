import { isoTime } from '../../../lib/read/iso-time.js';
import type { ParsedInput } from './input.js';
import type { Line } from './lines.js';

/** A record of a table: its cells, texts or the typed values of a workbook, or why it cannot be read. */
export type TableRecord =
  | { readonly line: Line; readonly cells: readonly unknown[] }
  | { readonly refused: ParsedInput };

/** Makes inputs of the records of a table. */
export interface TableReader {
  inputs(line: Line, cells: readonly unknown[]): Iterable<ParsedInput>;
}

/** Opens the reader of a table whose header is read. */
export interface OpenTable {
  /** True if the header alone does not say which column is which. */
  wantsSample(names: readonly string[]): boolean;
  /** Throws for a table that does not fit the endpoint. */
  open(names: readonly string[], sample: readonly TableRecord[]): TableReader;
}

/** Records that are looked at to recognise columns. */
const sampleSize = 20;

/** The first records; the iterator goes on behind them. */
export async function sampleRows(records: AsyncIterator<TableRecord, void>): Promise<TableRecord[]> {
  const sample: TableRecord[] = [];
  while (sample.length < sampleSize) {
    const { done, value } = await records.next();
    if (done === true || value === undefined) break;
    sample.push(value);
  }
  return sample;
}

/** A cell as the text that a CSV file would have; empty for none. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? isoTime(value.getTime()) : String(value).trim();
}

/** A value that JSON can hold, with its kind: a date as its time. */
export const ownValue = (cell: unknown) => (cell instanceof Date ? isoTime(cell.getTime()) : (cell ?? null));
