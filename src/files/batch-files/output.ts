import type { ListRest } from '../../../lib/batch/outcome.js';
import type { Answer } from '../../../lib/call/envelope.js';
import { CoalescingWriter } from './coalescing-writer.js';
import type { Totals } from './totals.js';

/** How far a batch has come once a text is written. */
export interface BatchPosition {
  readonly totals: Totals;
  /** Bytes of an older output that were copied, in a retry of its failed inputs. */
  readonly copied: number;
}

/** Receives how far the output is safe: on the disk with its checkpoint, or read from a pipe. `bytes` of it stay as they are. */
export type OnSaved = (reached: BatchPosition, bytes: number) => Promise<void>;

/** Answers of inputs that have no line yet, by index. */
export type LeftAnswers = readonly (readonly [index: number, answers: readonly Answer[]])[];

/** The lines of an input that failed, as a later run finds them. */
export interface FailedMark {
  readonly index: number;
  /** Where its list goes on, and the bytes of its lines that stay then. */
  readonly rest?: (ListRest & { readonly kept: number }) | undefined;
}

/** Where the lines of a batch go. */
export interface BatchOutput {
  /**
   * Adds text that belongs together. `failed` is the input that failed, if one did. Returns a promise when the caller
   * must wait before it adds more. It rejects when the output cannot be written, as does every later call.
   */
  add(text: string | Buffer, point: BatchPosition, failed?: FailedMark): Promise<void> | undefined;
  /** Writes to the disk what was added so far, and the answers that have no line yet. */
  flush(left?: LeftAnswers): Promise<void>;
  /** Writes the rest and closes. `done` is true when the batch has come to its end. */
  end(done: boolean, left?: LeftAnswers): Promise<void>;
}

/** An output without a checkpoint, such as a pipe: no later run can resume it. */
export function streamOutput(
  write: (text: string) => Promise<void>,
  onSaved: OnSaved = async () => {},
): BatchOutput {
  let written = 0;
  const writer = new CoalescingWriter<BatchPosition>(async (bytes, reached) => {
    await write(bytes.toString());
    written += bytes.length;
    await onSaved(reached, written);
  });
  return {
    add: (text, reached) => writer.add(Buffer.from(text), reached),
    flush: () => writer.flush(),
    end: () => writer.flush(),
  };
}
