import type { BatchItem } from '../../lib/batch/run-batch.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Line } from './lines.js';

/** One input of a batch as it was read. */
export interface Input extends BatchItem {
  /** Line that it begins on. */
  readonly line: number;
  /** What stands as `input` in its line of the output, as JSON text. */
  readonly echo: string;
  /** As of the line that it ends on. */
  readonly mark: number;
  readonly end: number;
}

/** An input before it has its place. */
export type Read = Omit<Input, 'index'>;

/** Characters that are shown of a line that could not be read. */
const shownOfFaulty = 200;

/** A line that is no input: an error in its place, with the line's number and its beginning. */
export function faulty({ number, text, mark, end }: Line, what: string): Read {
  const shown = text.length > shownOfFaulty ? `${text.slice(0, shownOfFaulty)}…` : text;
  return {
    line: number,
    echo: JSON.stringify(shown.toWellFormed()),
    params: null,
    fault: new ExtractError('invalid_body', `Line ${number} ${what}.`),
    mark,
    end,
  };
}

/** What a line that was not read as text is told as, or null. */
export function unreadable(line: Line): Read | null {
  if (line.fault === null) return null;
  return faulty(
    line,
    line.fault === 'too long' ? 'is longer than any input can be (64 KiB)' : 'is not UTF-8 text',
  );
}

/** Parameters that were read, in their place. */
export function readAs(
  { number, mark, end }: Line,
  params: Readonly<Record<string, unknown>>,
  echo: string,
  texts: boolean,
): Read {
  return { line: number, echo, params, fault: null, texts, mark, end };
}

/** Gives the inputs their places. */
export async function* counted(reads: AsyncIterable<Read>): AsyncGenerator<Input, void, undefined> {
  let index = 0;
  for await (const read of reads) {
    yield { index, ...read };
    index += 1;
  }
}
