import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { LineInput } from '../../lines/line.js';
import type { Line } from './lines.js';

export const inputFormats = ['ndjson', 'json', 'csv', 'tsv', 'xlsx', 'text'] as const;
export type InputFormat = (typeof inputFormats)[number];

/** Formats by file extension. For `.txt` the content decides: names, a table with tabs, or JSON. */
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

/** One input of a batch. */
export interface Input extends LineInput {
  /** The line that it begins on. */
  readonly line: number;
  /** The checksum and the end of the line that it ends on. */
  readonly checksum: number;
  readonly end: number;
}

/** An input before it has an index. */
export type ParsedInput = Omit<Input, 'index'>;

/** Characters of a faulty line repeated in its error. */
const maxExcerptLength = 200;

/** Returns the input for a faulty line: an error with the line's number and its beginning. */
export function invalidInput({ number, text, checksum, end }: Line, what: string): ParsedInput {
  const excerpt = text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength)}…` : text;
  return {
    line: number,
    echo: JSON.stringify(excerpt.toWellFormed()),
    params: null,
    fault: new ExtractError('invalid_body', `Line ${number} ${what}. Correct that line.`),
    checksum,
    end,
  };
}

/** Returns the faulty input for a line that is binary or too long; null for any other. */
export function unreadableInput(line: Line): ParsedInput | null {
  if (line.fault === null) return null;
  return invalidInput(
    line,
    line.fault === 'too long' ? 'is longer than any input can be (64 KiB)' : 'is not UTF-8 text',
  );
}

/** Returns the input for a line with its parameters. */
export function parsedInput(
  { number, checksum, end }: Line,
  params: Readonly<Record<string, unknown>>,
  echo: string,
  texts: boolean,
): ParsedInput {
  return { line: number, echo, params, fault: null, texts, checksum, end };
}

/** Numbers the inputs. */
export async function* withIndexes(
  reads: AsyncIterable<ParsedInput> | Iterable<ParsedInput>,
): AsyncGenerator<Input, void, undefined> {
  let index = 0;
  for await (const parsed of reads) {
    yield { index, ...parsed };
    index += 1;
  }
}
