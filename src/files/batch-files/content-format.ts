import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { namedSeparator, separatorOf } from '../../output/csv-cells.js';
import { columnNames } from './headings.js';
import type { InputFormat } from './input.js';
import type { ParamMap } from './param-map.js';
import { isResultHeader } from './result-header.js';

const binaryKinds: readonly (readonly [beginning: Buffer, what: string])[] = [
  [Buffer.from('SQLite format 3\0'), 'an SQLite database: export it as CSV'],
  [Buffer.from('PAR1'), 'a Parquet file: convert it to CSV'],
  [Buffer.from([0x1f, 0x8b]), 'compressed with gzip: unpack it first'],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'an old Excel workbook (.xls): save it as .xlsx'],
  [Buffer.from('%PDF-'), 'a PDF'],
];

const zip = Buffer.from('PK\x03\x04', 'latin1');

const startsWith = (head: Uint8Array, beginning: Buffer) =>
  beginning.equals(head.subarray(0, beginning.length));

/** True for a ZIP archive, such as an Excel workbook; a server does not unpack it. */
export const isWorkbook = (content: Uint8Array) => startsWith(content, zip);

/** The error for a file without inputs: what it is, and what to use instead. */
export function unreadable(what: string, cause?: unknown): ExtractError {
  const next = what.includes(':') ? '' : 'Use one value per line, CSV, TSV, JSON or NDJSON.';
  return new ExtractError('invalid_body', `The input cannot be read: it is ${what}.`, { next, cause });
}

/** Throws for binary content. */
function requireText(head: Buffer): void {
  const kindName = binaryKinds.find(([beginning]) => startsWith(head, beginning))?.[1];
  const what = kindName ?? (head.includes(0) ? 'not text' : null);
  if (what !== null) throw unreadable(what);
}

const cellsOf = (line: string) =>
  line.split(separatorOf(line)).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));

/** Returns the format of a text: JSON, a table with parameter names, or plain values. */
function formatOfText(head: string, endpoint: Endpoint, map: ParamMap): InputFormat {
  const { params, renamed } = endpoint;
  const lines = head
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first = ''] = lines;
  if (first.startsWith('[') || first === '{') return 'json';
  if (namedSeparator(first) !== undefined) return 'csv';
  // A broken first line does not turn the objects below it into names.
  if (lines.some((line) => line.startsWith('{'))) return 'ndjson';
  const fields = Object.values(map);
  const names = columnNames(cellsOf(first), endpoint, fields);
  const isHeader =
    isResultHeader(names) ||
    names.some(
      (name) => Object.hasOwn(params, name) || Object.hasOwn(renamed, name) || fields.includes(name),
    );
  // A single word is a value, because a table without rows would contain no input.
  if (!isHeader || (lines.length === 1 && names.length === 1)) return 'text';
  return separatorOf(first) === '\t' ? 'tsv' : 'csv';
}

/**
 * Detects the format of inputs; `namedFormat` is the format that the file name indicates. Throws `invalid_body` for
 * binary content: one sentence instead of an error for each line.
 */
export function formatOfContent(
  head: Buffer,
  namedFormat: InputFormat | null,
  endpoint: Endpoint,
  map: ParamMap,
): InputFormat {
  if (isWorkbook(head)) return 'xlsx';
  requireText(head);
  if (namedFormat === 'xlsx' && head.length > 0) {
    throw unreadable('not an Excel workbook');
  }
  return namedFormat ?? formatOfText(head.toString(), endpoint, map);
}
