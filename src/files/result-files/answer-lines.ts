import type { Coverage } from '../../../lib/call/coverage.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import type { InputAnswer, OwnValues } from './result-file.js';

interface ParsedLine {
  readonly input: unknown;
  /** Place of the input, where lines of other inputs are left out. */
  readonly index?: number;
  readonly own?: OwnValues;
  readonly data?: unknown;
  readonly sources?: readonly ItemSource[];
  readonly coverage?: Coverage;
  readonly error?: { readonly code: string; readonly message: string };
  readonly changed?: unknown;
  /** Items that were left out of `data` on purpose. */
  readonly left_out?: number;
}

/**
 * The answer of a line of results: `{"input":…,"data":…}`, with `sources` and `changed` behind it, or
 * `{"input":…,"error":…}`; a list of which a page failed has data and error. `position`: of the line among all, from 0.
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
  // An object that was left out on purpose is no answer that lacks everything.
  const isLeftOut = data === null && leftOut !== undefined;
  // A list whose items have a line each is read as well.
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

/** The beginning of a line whose input has no objects in it: all that have an answer. */
const flatInput = /^\{"input":(\{(?:[^"{}]|"(?:[^"\\]|\\.)*")*\})/;

/** The inputs of lines, mostly without looking at their answers. */
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

/** The complete lines of a stream of bytes, without their ends; bytes behind the last line feed are left out. */
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
