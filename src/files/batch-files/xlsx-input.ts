import { crc32 } from 'node:zlib';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { unreadable } from './content-format.js';
import type { ParsedInput } from './input.js';
import { cellText, maxTitles, type OpenTable, type TableRecord } from './table-records.js';

async function workbookRows(chunks: AsyncIterable<Uint8Array>): Promise<readonly (readonly unknown[])[]> {
  const { readFirstSheet } = await import('../result-files/xlsx/read-workbook.js');
  try {
    return await readFirstSheet(chunks);
  } catch (cause) {
    throw cause instanceof ExtractError ? cause : unreadable('not an Excel workbook', cause);
  }
}

/** Parses the first sheet of a workbook: a header, then one input per row. Throws like text tables. */
export async function* xlsxInput(
  chunks: AsyncIterable<Uint8Array>,
  table: OpenTable,
): AsyncGenerator<ParsedInput, void, undefined> {
  const sheet = await workbookRows(chunks);
  const isFilled = (row: readonly unknown[]) => row.some((cell) => cellText(cell) !== '');
  const first = sheet.findIndex(isFilled);
  if (first < 0) return;
  const width = Math.max(...sheet.map((row) => row.length));
  const isHeader = (row: readonly unknown[]) =>
    isFilled(row) && !table.isTitle(Array.from({ length: width }, (_, at) => cellText(row[at])));
  const top = Math.max(first, sheet.slice(0, first + maxTitles + 1).findIndex(isHeader));
  const names = (sheet[top] ?? []).map(cellText);
  let checksum = 0;
  const records = sheet.flatMap((cells, at): TableRecord[] => {
    if (at <= top || !isFilled(cells)) return [];
    const text = cells.map(cellText).join('\t');
    checksum = crc32(text, checksum);
    return [{ line: { number: at + 1, text, fault: null, checksum, end: 0 }, cells }];
  });
  const rows = table.open(names, records);
  for (const one of records) if ('cells' in one) yield* rows.inputs(one.line, one.cells);
}
