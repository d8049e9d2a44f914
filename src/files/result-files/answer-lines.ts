import type { Coverage } from '../../../lib/call/coverage.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import type { InputAnswer, OwnValues } from './result-file.js';

/**
 * A line of results: `{"input":…,"data":…}`, followed by `sources` and `changed`, or `{"input":…,"error":…}`; a partial
 * list has data and error.
 */
export interface AnswerLine {
  readonly input: unknown;
  /** Index of the input, if lines of other inputs are omitted. */
  readonly index?: number;
  readonly own?: OwnValues;
  readonly data?: unknown;
  readonly sources?: readonly ItemSource[];
  readonly coverage?: Coverage;
  readonly error?: { readonly code: string; readonly message: string };
  readonly changed?: unknown;
  /** Number of items deliberately omitted from `data`. */
  readonly left_out?: number;
}

/** Returns the answer in a line of results. `position` is the line's index. */
export function answerOfLine(line: AnswerLine, many: boolean, position: number): InputAnswer {
  const { input, index = position, own, data, sources, coverage, error, changed } = line;
  if (error !== undefined && data === undefined) return { input, index, own, items: [], from: 0, error };
  // A deliberately omitted object is not an answer without values.
  const isLeftOut = data === null && line.left_out !== undefined;
  // Also accepts a list with one line per item.
  const items = isLeftOut ? [] : many && Array.isArray(data) ? data : [data];
  return { input, index, own, items, from: 0, sources, coverage, error: error ?? null, changed };
}
