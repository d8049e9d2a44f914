import { crc32 } from 'node:zlib';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { isoTime } from '../../../lib/read/iso-time.js';
import { unreadable } from './content-format.js';
import type { ParsedInput } from './input.js';
import { TableRows, type TableTarget } from './table-rows.js';

/** A cell as the text that a CSV file would have. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? isoTime(value.getTime()) : String(value).trim();
}

/** The cells of the first sheet. Throws `invalid_body` for what is no workbook. */
export async function workbookRows(chunks: AsyncIterable<Uint8Array>): Promise<readonly string[][]> {
  const { readFirstSheet } = await import('../result-files/xlsx/read-workbook.js');
  try {
    return (await readFirstSheet(chunks)).map((row) => row.map(cellText));
  } catch (cause) {
    throw cause instanceof ExtractError ? cause : unreadable('not an Excel workbook', cause);
  }
}

/** The first sheet of a workbook: a header, then an input a row. Throws as tables of text do. */
export async function* xlsxInput(
  chunks: AsyncIterable<Uint8Array>,
  target: TableTarget,
): AsyncGenerator<ParsedInput, void, undefined> {
  const [header, ...cells] = await workbookRows(chunks);
  if (header === undefined) return;
  const table = new TableRows(header, target);
  let checksum = 0;
  for (const [at, row] of cells.entries()) {
    const text = row.join('\t');
    if (text.trim() === '') continue;
    checksum = crc32(text, checksum);
    yield* table.inputs({ number: at + 2, text, fault: null, checksum, end: 0 }, row);
  }
}
