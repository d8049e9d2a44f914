import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { LineInput } from '../../lines/line.js';
import type { Line } from './lines.js';

export const inputFormats = ['ndjson', 'json', 'csv', 'tsv', 'xlsx', 'text'] as const;
export type InputFormat = (typeof inputFormats)[number];

/** Formats by file extension. A `.txt` file may hold names, a table with tabs, or JSON, so its content decides. */
const formatOfEnding: ReadonlyMap<string, InputFormat> = new Map([
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'json'],
  ['csv', 'csv'],
  ['tsv', 'tsv'],
  ['xlsx', 'xlsx'],
]);

/** Returns the format that a file's name indicates; null if the content has to decide. */
export function formatOfName(file: string): InputFormat | null {
  const ending = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return formatOfEnding.get(ending) ?? null;
}

export interface Input extends LineInput {
  /** Number of its first line. */
  readonly line: number;
  /** Checksum and end of its last line. */
  readonly checksum: number;
  readonly end: number;
}

export type ParsedInput = Omit<Input, 'index'>;

const maxExcerptLength = 200;

/** Returns a failing input for an invalid line: an error with the line's number and beginning. */
export function invalidInput(
  { number, text, checksum, end }: Line,
  what: string,
  next = 'Correct that line.',
): ParsedInput {
  const excerpt = text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength)}…` : text;
  return {
    line: number,
    echo: JSON.stringify(excerpt.toWellFormed()),
    params: null,
    fault: new ExtractError('invalid_body', `Line ${number} ${what}. ${next}`, { next: '' }),
    checksum,
    end,
  };
}

/** Returns a failing input for a line that is binary or too long; null for any other. */
export function unreadableInput(line: Line): ParsedInput | null {
  if (line.fault === null) return null;
  return line.fault === 'too long'
    ? invalidInput(line, 'exceeds the maximum length of an input (64 KiB)')
    : invalidInput(line, 'is not UTF-8 text', 'Save the file as UTF-8.');
}

export function parsedInput(
  { number, checksum, end }: Line,
  params: Readonly<Record<string, unknown>>,
  echo: string,
  texts: boolean,
): ParsedInput {
  return { line: number, echo, params, fault: null, texts, checksum, end };
}

export async function* withIndexes(
  reads: AsyncIterable<ParsedInput> | Iterable<ParsedInput>,
): AsyncGenerator<Input, void, undefined> {
  let index = 0;
  for await (const parsed of reads) {
    yield { index, ...parsed };
    index += 1;
  }
}
