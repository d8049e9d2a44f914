import type { Coverage } from '../../../lib/call/coverage.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import type { InputAnswer, OwnValues } from './result-file.js';

interface ParsedLine {
  readonly input: unknown;
  /** Index of the input, if lines of other inputs are omitted. */
  readonly index?: number;
  readonly own?: OwnValues;
  readonly data?: unknown;
  readonly sources?: readonly ItemSource[];
  readonly coverage?: Coverage;
  readonly error?: { readonly code: string; readonly message: string };
  readonly changed?: unknown;
  /** Number of items that were deliberately omitted from `data`. */
  readonly left_out?: number;
}

/**
 * Parses a line of results: `{"input":…,"data":…}`, with `sources` and `changed` after it, or `{"input":…,"error":…}`;
 * a list of which a page failed has data and error. `position`: index of the line.
 */
export function answerOfLine(line: string, many: boolean, position: number): InputAnswer {
  const {
    input,
    index = position,
    own,
    data,
    sources,
    coverage,
    error,
    changed,
    left_out: leftOut,
  } = JSON.parse(line) as ParsedLine;
  if (error !== undefined && data === undefined)
    return { input, index, own, items: [], from: 0, error, length: line.length };
  // An object that was deliberately omitted is not an answer without values.
  const isLeftOut = data === null && leftOut !== undefined;
  // A list with one line per item is read as well.
  return {
    input,
    index,
    own,
    items: isLeftOut ? [] : many && Array.isArray(data) ? data : [data],
    from: 0,
    sources,
    coverage,
    error: error ?? null,
    changed,
    length: line.length,
  };
}

/** The beginning of a line whose input contains no objects, as all answered inputs. */
const flatInput = /^\{"input":(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})/;

/** Yields the inputs of lines, mostly without parsing their answers. */
export async function* inputsOfLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<unknown, void, undefined> {
  for await (const lines of textLines(chunks)) {
    for (const line of lines) {
      const [, input] = flatInput.exec(line) ?? [];
      yield input === undefined ? (JSON.parse(line) as ParsedLine).input : JSON.parse(input);
    }
  }
}

/** Yields the complete lines of a byte stream, without their ends; bytes after the last line feed are dropped. */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const end = bytes.lastIndexOf(0x0a);
    if (end < 0) {
      rest.push(Buffer.from(bytes));
      continue;
    }
    const text = Buffer.concat([...rest, bytes.subarray(0, end)]).toString('utf8');
    rest = [Buffer.from(bytes.subarray(end + 1))];
    yield text.split('\n');
  }
}
