import { batchId } from '../../../lib/batch/batch.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import type { BatchPaths } from './batch-paths.js';
import type { CheckpointEntry } from './checkpoint.js';
import { type BatchOutput, type BatchPosition, type LeftAnswers, startPosition } from './output.js';

/**
 * A file that no run can continue in the middle. The run writes its lines to a file next to it, with the checkpoint,
 * and the file is built from them once they are complete. At any time it is complete, or absent.
 */
export interface MadeFile {
  readonly file: string;
  readonly lines: string;
  /** True if it also has other runs. */
  readonly adds: boolean;
  /** True if a run that starts over has removed the file already. */
  readonly isRemoved?: boolean;
  /** Throws if nothing can be added to the existing file. */
  check?(): Promise<void>;
  /** Returns whether the existing file has a run. */
  has(id: string): Promise<boolean>;
  /** Removes a run from the existing file, because its lines are about to differ. */
  withdraw(id: string): Promise<void>;
  make(id: string, signal: CallSignal): Promise<void>;
}

/** Where the lines of a run go: a stream, a file, a table or a report made of them, an object of a bucket. */
export interface RunSink {
  /** The ID of the run. */
  readonly id: string;
  readonly output: BatchOutput;
  /** The position of the run when the sink was opened. */
  readonly from: BatchPosition;
  /** Answers of an earlier process to inputs without a line. */
  readonly left: LeftAnswers;
  /** True if nothing is in it yet, not even a header. */
  readonly isNew: boolean;
  /** False for a stream, to which no later process can write the rest. */
  readonly isResumable: boolean;
  /** Set if only the failed inputs of a finished output run. */
  readonly retry: { readonly of: BatchPaths; readonly finished: CheckpointEntry } | undefined;
  /** What is built from the complete lines; null if they are the output themselves. */
  readonly made: MadeFile | null;
  /** Closes it; `done` is true if its lines are complete. */
  close(done: boolean): Promise<void>;
  /** Makes of complete lines what the run is to leave. If it throws, the run is not finished. */
  finish(signal: CallSignal): Promise<void>;
}

/** Closes a sink whose run cannot begin. */
export async function abandon({ output, close }: RunSink): Promise<void> {
  await output.end(false);
  await close(false);
}

/** Returns the sink of a stream. */
export const streamSink = (output: BatchOutput, close = async () => {}): RunSink => ({
  ...{ id: batchId(), output, from: startPosition, left: [], isNew: true, isResumable: false },
  ...{ retry: undefined, made: null, close, finish: async () => {} },
});
