import { isoTime } from '../../../lib/read/iso-time.js';
import type { ParsedInput } from './input.js';
import type { Line } from './lines.js';

/** A table record: its cells, as strings or a workbook's typed values, or why it cannot be read. */
export type TableRecord =
  | { readonly line: Line; readonly cells: readonly unknown[] }
  | { readonly refused: ParsedInput };

export interface TableReader {
  inputs(line: Line, cells: readonly unknown[]): Iterable<ParsedInput>;
}

export interface OpenTable {
  isTitle(cells: readonly string[]): boolean;
  /** True if the header alone does not determine the columns. */
  wantsSample(names: readonly string[]): boolean;
  /** Throws if the table does not fit the endpoint. */
  open(names: readonly string[], sample: readonly TableRecord[]): TableReader;
}

export const maxTitles = 5;

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

/** Returns a cell as in a CSV file; empty for none. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? isoTime(value.getTime()) : String(value).trim();
}

/** Converts a value for JSON: a date becomes its time. */
export const ownValue = (cell: unknown) => (cell instanceof Date ? isoTime(cell.getTime()) : (cell ?? null));
