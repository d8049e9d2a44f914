import { batchId } from '../../../lib/batch/batch.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import type { BatchPaths } from './batch-paths.js';
import type { CheckpointEntry } from './checkpoint.js';
import { type BatchOutput, type BatchPosition, type LeftAnswers, startPosition } from './output.js';

/**
 * A file that cannot be resumed in the middle. The run writes lines and a checkpoint next to it, and builds the file
 * when they are complete. The file is complete or absent at any time.
 */
export interface BuiltFile {
  readonly file: string;
  readonly lines: string;
  /** True if it may contain other runs. */
  readonly adds: boolean;
  /** True if a run that starts over has already removed the file. */
  readonly isRemoved?: boolean;
  /** Throws if the existing file cannot be appended to. */
  check?(): Promise<void>;
  /** Returns whether the existing file contains a run. */
  has(id: string): Promise<boolean>;
  /** Removes a run from the existing file before its lines change. */
  withdraw(id: string): Promise<void>;
  make(id: string, signal: CallSignal): Promise<void>;
}

/**
 * The destination of a run's lines: a stream, a file, a table or report built from them, or an object in a bucket.
 */
export interface RunSink {
  readonly id: string;
  readonly output: BatchOutput;
  /** The position of the run when the sink was opened. */
  readonly from: BatchPosition;
  /** Answers of an earlier process to inputs without a line. */
  readonly unwritten: LeftAnswers;
  /** True if the sink is empty, without even a header. */
  readonly isNew: boolean;
  /** False for a stream, which no later process can continue. */
  readonly isResumable: boolean;
  /** Set if only the failed inputs of a finished output run. */
  readonly retry: { readonly of: BatchPaths; readonly finished: CheckpointEntry } | undefined;
  /** The file built from the complete lines; null if the lines are the output. */
  readonly builtFile: BuiltFile | null;
  /** Closes it; `done` is true if its lines are complete. */
  close(done: boolean): Promise<void>;
  /** Builds the output from complete lines. If it throws, the run counts as unfinished. */
  finish(signal: CallSignal): Promise<void>;
}

/** Closes a sink whose run cannot start. */
export async function abandon({ output, close }: RunSink): Promise<void> {
  await output.end(false);
  await close(false);
}

export const streamSink = (output: BatchOutput, close = async () => {}): RunSink => ({
  ...{ id: batchId(), output, from: startPosition, unwritten: [], isNew: true, isResumable: false },
  ...{ retry: undefined, builtFile: null, close, finish: async () => {} },
});
