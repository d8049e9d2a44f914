import { parse } from 'csv-parse/sync';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { namedSeparator, separatorOf } from '../../output/csv-cells.js';
import { invalidInput, type ParsedInput, unreadableInput } from './input.js';
import { type Line, maxLineBytes } from './lines.js';
import { maxTitles, type OpenTable, sampleRows, type TableRecord } from './table-records.js';

type Cells = readonly string[];

/** Parses one record; undefined if its quotes do not match. */
function parseRecord(record: string, delimiter: string): Cells | undefined {
  try {
    return (parse(record, { relax_column_count: true, trim: true, delimiter }) as string[][])[0];
  } catch {
    return undefined;
  }
}

const countQuotes = (text: string) => text.split('"').length - 1;

/** A record with the line on which it ends. */
interface Record {
  readonly cells: Cells;
  readonly last: Line;
}

/**
 * Reads records from lines. An unclosed quote would swallow all following lines, so the reader puts them back if they
 * turn out not to be part of the record.
 */
class RecordReader {
  readonly #lines: AsyncIterator<Line, void>;
  readonly #returned: Line[] = [];
  separator = ',';

  constructor(lines: AsyncIterable<Line>) {
    this.#lines = lines[Symbol.asyncIterator]() as AsyncIterator<Line, void>;
  }

  async next(): Promise<Line | undefined> {
    const returned = this.#returned.shift();
    if (returned !== undefined) return returned;
    const { value } = await this.#lines.next();
    return value ?? undefined;
  }

  putBack(lines: readonly Line[]): void {
    this.#returned.unshift(...lines);
  }

  /** Reads the record that begins with a line; undefined if it is invalid, with the following lines put back. */
  async record(first: Line): Promise<Record | undefined> {
    const lines: Line[] = [];
    let text = first.text;
    let last = first;
    let quotes = countQuotes(text);
    while (quotes % 2 === 1 && text.length <= maxLineBytes) {
      const line = await this.next();
      if (line === undefined) break;
      lines.push(line);
      if (line.fault !== null) break;
      text += `\n${line.text}`;
      quotes += countQuotes(line.text);
      last = line;
    }
    const cells =
      quotes % 2 === 0 && last === (lines.at(-1) ?? first) ? parseRecord(text, this.separator) : undefined;
    if (cells !== undefined) return { cells, last };
    this.putBack(lines);
    return undefined;
  }
}

function unreadableHeader({ fault }: Line): ExtractError {
  const [what, next] =
    fault === 'not UTF-8'
      ? ['is not UTF-8 text', 'Save the file as UTF-8.']
      : [fault === null ? 'has unmatched quotes' : 'is too long', 'Correct its first line.'];
  return new ExtractError('invalid_body', `The header of the CSV input ${what}.`, { next });
}

/** Reads the header: the first record, or the first below title rows. Throws if it is invalid. */
async function headerBelow(reader: RecordReader, top: Line, table: OpenTable): Promise<Cells> {
  const titles: { readonly line: Line; readonly cells: Cells }[] = [];
  let line: Line | undefined = top;
  while (line !== undefined && titles.length < maxTitles) {
    const record: Record | undefined = line.fault === null ? await reader.record(line) : undefined;
    if (record === undefined) throw unreadableHeader(line);
    if (record.last !== line || !table.isTitle(record.cells)) return record.cells;
    titles.push({ line, cells: record.cells });
    line = await reader.next();
  }
  // Only the first column has content, so none of the rows was a title.
  const [header, ...rows] = titles;
  reader.putBack([...rows.map((row) => row.line), ...(line === undefined ? [] : [line])]);
  return header?.cells ?? [];
}

/**
 * Parses a header, then one input per record. An empty cell is a missing parameter. Throws for a header that does not
 * fit the endpoint.
 */
export async function* csvInput(
  lines: AsyncIterable<Line>,
  table: OpenTable,
): AsyncGenerator<ParsedInput, void, undefined> {
  const reader = new RecordReader(lines);
  const first = await reader.next();
  const separator = namedSeparator(first?.text ?? '');
  const top = separator === undefined ? first : await reader.next();
  if (top === undefined) return;
  reader.separator = separator ?? separatorOf(top.text);
  const names = await headerBelow(reader, top, table);
  const records = csvRecords(reader);
  const sample = table.wantsSample(names) ? await sampleRows(records) : [];
  const rows = table.open(names, sample);
  for (const one of sample) yield* 'refused' in one ? [one.refused] : rows.inputs(one.line, one.cells);
  for await (const one of records) yield* 'refused' in one ? [one.refused] : rows.inputs(one.line, one.cells);
}

async function* csvRecords(reader: RecordReader): AsyncGenerator<TableRecord, void, undefined> {
  for (let line = await reader.next(); line !== undefined; line = await reader.next()) {
    const failure = unreadableInput(line);
    const record = failure === null ? await reader.record(line) : undefined;
    if (record === undefined) {
      yield { refused: failure ?? invalidInput(line, 'is not a CSV record: it has unmatched quotes') };
    } else {
      const { checksum, end } = record.last;
      yield { line: { ...line, checksum, end }, cells: record.cells };
    }
  }
}
