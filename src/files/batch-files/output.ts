import type { ListRest } from '../../../lib/batch/outcome.js';
import type { Answer } from '../../../lib/call/envelope.js';
import { CoalescingWriter } from './coalescing-writer.js';
import { noTotals, type Totals } from './totals.js';

/** The progress of a batch after a text is written. */
export interface BatchPosition {
  readonly totals: Totals;
  /** Bytes copied from the old output by a retry. */
  readonly copied: number;
}

export const startPosition: BatchPosition = { totals: noTotals, copied: 0 };

/** Called when output is safe: on disk with its checkpoint, or read from a pipe. The first `bytes` of it are final. */
export type OnSaved = (position: BatchPosition, bytes: number) => Promise<void>;

/** Answers of inputs without a line, by index. */
export type LeftAnswers = readonly (readonly [index: number, answers: readonly Answer[]])[];

/** The lines of a failed input, for a later run. */
export interface FailedMark {
  readonly index: number;
  /** Where its list continues, and how many bytes of its lines stay. */
  readonly rest?: (ListRest & { readonly kept: number }) | undefined;
}

export interface BatchOutput {
  /**
   * Adds text that must not be split. `failed` marks a failed input. Returns a promise if the caller must wait.
   * Rejects, as does every later call, if the output cannot be written.
   */
  add(text: string | Buffer, point: BatchPosition, failed?: FailedMark): Promise<void> | undefined;
  /** Writes everything to disk, with the answers that have no line yet. */
  flush(pending?: LeftAnswers): Promise<void>;
  /** Writes the rest and closes. `done` is true if the batch is finished. */
  end(done: boolean, pending?: LeftAnswers): Promise<void>;
}

/** Creates an output without a checkpoint, such as a pipe, which no later run can resume. */
export function streamOutput(
  write: (text: string) => Promise<void>,
  onSaved: OnSaved = async () => {},
): BatchOutput {
  let writtenBytes = 0;
  const writer = new CoalescingWriter<BatchPosition>(async (bytes, position) => {
    await write(bytes.toString());
    writtenBytes += bytes.length;
    await onSaved(position, writtenBytes);
  });
  return {
    add: (text, position) => writer.add(Buffer.from(text), position),
    flush: () => writer.flush(),
    end: () => writer.flush(),
  };
}
