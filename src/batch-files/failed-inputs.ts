import { createReadStream } from 'node:fs';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { BatchPaths } from './batch-paths.js';
import { type FailedLine, failedLines } from './checkpoint.js';
import type { Input } from './input.js';

/** An input that failed before, and where the old output has its lines. */
export interface FailedInput extends Input {
  readonly old: FailedLine;
}

/** Of all inputs those that failed, from the input `from` on. Throws when the input has fewer than it had. */
export async function* failedInputs(
  inputs: AsyncIterable<Input>,
  { checkpoint }: BatchPaths,
  from: number,
): AsyncGenerator<FailedInput, void, undefined> {
  const lines = failedLines(checkpoint, from);
  let { value: old } = await lines.next();
  if (!old) return;
  for await (const input of inputs) {
    if (input.index !== old.index) continue;
    yield { ...input, old };
    ({ value: old } = await lines.next());
    if (!old) return;
  }
  throw new ExtractError(
    'invalid_parameter',
    `The input ends before input ${old.index + 1}, which failed: it is not the one the batch was run with.`,
  );
}

/** A range of bytes of the old output, in chunks. */
export async function* readRange(
  file: string,
  from: number,
  to: number,
): AsyncGenerator<Buffer, void, undefined> {
  if (from >= to) return;
  yield* createReadStream(file, { start: from, end: to - 1, highWaterMark: 256 * 1024 });
}
