import { buffer } from 'node:stream/consumers';
import { invalidParameter } from '../../../lib/errors/extract-error.js';
import { type FailedInput, failedInputs, readRange } from './failed-inputs.js';
import type { Input } from './input.js';
import type { RunSink } from './run-sink.js';
import type { Totals } from './totals.js';

/** Skips the inputs that have a line. Throws if the inputs have changed. */
async function* skipWritten(
  inputs: AsyncIterable<Input>,
  { inputs: count, mark }: Totals,
): AsyncGenerator<Input> {
  let seenCount = 0;
  for await (const input of inputs) {
    if (input.index >= count) yield input;
    else if (input.index === count - 1 && input.checksum !== mark) break;
    seenCount = input.index + 1;
  }
  if (seenCount < count) {
    throw invalidParameter(
      `The input has changed since the batch was started: its first ${count} inputs are not the same.`,
    );
  }
}

/** The inputs of a run, and the older output that a retry copies between its lines. */
export interface RunPlan<Item extends Input> {
  readonly inputs: AsyncIterable<Item>;
  /** Returns the range of the old output that the lines of an input replace. */
  readonly replaces: (item: Item) => { readonly from: number; readonly to: number };
  readonly oldOutput: { readonly file: string; readonly size: number } | undefined;
  /** Returns the existing lines of an input's list, before the rest. */
  readonly earlier: (item: Item) => Promise<string>;
  /** Returns the totals of the complete output, from the finished run's. */
  readonly finish: (totals: Totals) => Totals;
}

export function fullRun(inputs: AsyncIterable<Input>, from: Totals): RunPlan<Input> {
  return {
    inputs: skipWritten(inputs, from),
    replaces: () => ({ from: 0, to: 0 }),
    oldOutput: undefined,
    earlier: async () => '',
    finish: (totals) => totals,
  };
}

export function retryRun(
  inputs: AsyncIterable<Input>,
  { of, finished }: NonNullable<RunSink['retry']>,
  from: Totals,
): RunPlan<FailedInput> {
  const failed = failedInputs(inputs, of, from.inputs, finished);
  return {
    inputs: failed.inputs,
    replaces: ({ old }) => ({ from: old.offset, to: old.offset + old.length }),
    oldOutput: { file: of.output, size: finished.bytes },
    async earlier({ old: { offset, rest } }) {
      return (await buffer(readRange(of.output, offset, offset + (rest?.kept ?? 0)))).toString();
    },
    // A retry counts up to the last failed input; the lines after it are final as well.
    finish: (totals) => ({ ...totals, ...failed.inputEnd() }),
  };
}
