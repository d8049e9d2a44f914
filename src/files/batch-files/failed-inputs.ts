import { createReadStream } from 'node:fs';
import { invalidParameter } from '../../../lib/errors/extract-error.js';
import type { BatchPaths } from './batch-paths.js';
import { type FailedLine, failedLines } from './checkpoint.js';
import type { Input } from './input.js';
import type { Totals } from './totals.js';

/** A failed input, and the position of its lines in the old output. */
export interface FailedInput extends Input {
  readonly old: FailedLine;
}

/** The failed inputs of a finished output, and the end of the input file that contains them. */
export interface FailedInputs {
  readonly inputs: AsyncIterable<FailedInput>;
  /** Returns the input part of the totals, as of the last input with a line. */
  inputEnd(): Pick<Totals, 'inputs' | 'mark' | 'read'>;
}

/**
 * Yields the failed inputs, from the input `from`. Throws if there are fewer inputs than before. The file may have been
 * extended since, so it is only read to its previous end.
 */
export function failedInputs(
  all: AsyncIterable<Input>,
  { checkpoint }: BatchPaths,
  from: number,
  finished: Totals,
): FailedInputs {
  let { mark, read } = finished;
  async function* readFailed(): AsyncGenerator<FailedInput, void, undefined> {
    const lines = failedLines(checkpoint, from);
    let old = (await lines.next()).value ?? null;
    for await (const input of all) {
      if (old === null && input.index >= finished.inputs) return;
      if (input.index === old?.index) {
        yield { ...input, old, rest: old.rest };
        old = (await lines.next()).value ?? null;
      }
      if (input.index === finished.inputs - 1) {
        ({ checksum: mark, end: read } = input);
        if (old === null) return;
      }
    }
    if (old === null) return;
    throw invalidParameter(
      `The input ends before input ${old.index + 1}, which failed: it is not the input of that batch.`,
    );
  }
  return { inputs: readFailed(), inputEnd: () => ({ inputs: finished.inputs, mark, read }) };
}

export async function* readRange(
  file: string,
  from: number,
  to: number,
): AsyncGenerator<Buffer, void, undefined> {
  if (from >= to) return;
  yield* createReadStream(file, { start: from, end: to - 1, highWaterMark: 256 * 1024 });
}
