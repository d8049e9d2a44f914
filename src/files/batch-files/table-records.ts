import { isoTime } from '../../../lib/read/iso-time.js';
import type { ParsedInput } from './input.js';
import type { Line } from './lines.js';

/** A record of a table: its cells, as strings or the typed values of a workbook, or why it cannot be read. */
export type TableRecord =
  | { readonly line: Line; readonly cells: readonly unknown[] }
  | { readonly refused: ParsedInput };

/** Converts the records of a table to inputs. */
export interface TableReader {
  inputs(line: Line, cells: readonly unknown[]): Iterable<ParsedInput>;
}

/** Opens the reader of a table after its header. */
export interface OpenTable {
  /** True for a row above the header. */
  isTitle(cells: readonly string[]): boolean;
  /** True if the header alone does not determine the columns. */
  wantsSample(names: readonly string[]): boolean;
  /** Throws for a table that does not fit the endpoint. */
  open(names: readonly string[], sample: readonly TableRecord[]): TableReader;
}

/** Maximum rows of titles above a header. */
export const maxTitles = 5;

/** Records examined to recognise columns. */
const sampleSize = 20;

/** Returns the first records; the iterator continues after them. */
export async function sampleRows(records: AsyncIterator<TableRecord, void>): Promise<TableRecord[]> {
  const sample: TableRecord[] = [];
  while (sample.length < sampleSize) {
    const { done, value } = await records.next();
    if (done === true || value === undefined) break;
    sample.push(value);
  }
  return sample;
}

/** Returns a cell as the text that a CSV file would have; empty for none. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? isoTime(value.getTime()) : String(value).trim();
}

/** Returns a value that JSON can represent: a date as its time. */
export const ownValue = (cell: unknown) => (cell instanceof Date ? isoTime(cell.getTime()) : (cell ?? null));
