import readSheets, { type Row, readSheet, type Sheet } from 'read-excel-file/universal';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { boundedWorkbook } from './bounded-workbook.js';

/** All rows are in memory. */
const maxBytes = 256 * 1024 * 1024;

async function workbookBytes(chunks: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new ExtractError('invalid_body', 'The workbook is larger than 256 MB: save its sheet as CSV.', {
        next: '',
      });
    }
    parts.push(chunk);
  }
  const { buffer, byteOffset, byteLength } = await boundedWorkbook(Buffer.concat(parts));
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
}

/** Reads the first sheet of a workbook, trimming its strings. Throws for an invalid workbook. */
export async function readFirstSheet(chunks: AsyncIterable<Uint8Array>): Promise<readonly Row[]> {
  return readSheet(await workbookBytes(chunks));
}

/** Reads all sheets of a workbook, with their strings unchanged. Throws for an invalid workbook. */
export async function readAllSheets(chunks: AsyncIterable<Uint8Array>): Promise<readonly Sheet[]> {
  return readSheets(await workbookBytes(chunks), { trim: false });
}
