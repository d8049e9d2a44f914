import type { ListRest } from '../../../lib/batch/outcome.js';
import type { Answer } from '../../../lib/call/envelope.js';
import { CoalescingWriter } from './coalescing-writer.js';
import { noTotals, type Totals } from './totals.js';

/** How far a batch has come once a text is written. */
export interface BatchPosition {
  readonly totals: Totals;
  /** Bytes of an older output that were copied, in a retry of its failed inputs. */
  readonly copied: number;
}

/** The position of a run that begins. */
export const startPosition: BatchPosition = { totals: noTotals, copied: 0 };

/**
 * Receives how far the output is safe: on disk with its checkpoint, or read from a pipe. `bytes` of it will not change.
 */
export type OnSaved = (reached: BatchPosition, bytes: number) => Promise<void>;

/** Answers of inputs without a line, by index. */
export type LeftAnswers = readonly (readonly [index: number, answers: readonly Answer[]])[];

/** The lines of a failed input, for a later run. */
export interface FailedMark {
  readonly index: number;
  /** Where its list continues, and the bytes of its lines that are kept then. */
  readonly rest?: (ListRest & { readonly kept: number }) | undefined;
}

/** The destination of a batch's lines. */
export interface BatchOutput {
  /**
   * Adds text that belongs together. `failed` is the failed input, if any. Returns a promise if the caller must wait
   * before it adds more. It rejects if the output cannot be written, as does every later call.
   */
  add(text: string | Buffer, point: BatchPosition, failed?: FailedMark): Promise<void> | undefined;
  /** Writes everything added so far to disk, with the answers that have no line yet. */
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
  const writer = new CoalescingWriter<BatchPosition>(async (bytes, reached) => {
    await write(bytes.toString());
    writtenBytes += bytes.length;
    await onSaved(reached, writtenBytes);
  });
  return {
    add: (text, reached) => writer.add(Buffer.from(text), reached),
    flush: () => writer.flush(),
    end: () => writer.flush(),
  };
}
