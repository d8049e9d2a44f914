import type { EndedInput, JobAtWork, JobStatus } from '../job.js';
import type { InputMemory } from '../schedules/schedule-memory.js';

/** A slice of a job: inputs processed as one task. */
export interface Slice {
  readonly job: JobAtWork;
  /** Resolves with the indexes of its unfinished inputs, in order. */
  pending(): Promise<readonly number[]>;
  /** Returns one of these inputs as JSON text. */
  input(index: number): string | Promise<string>;
}

/** A finished input, with its line. */
export interface FinishedInput extends EndedInput {
  readonly line: Buffer;
}

/** The outcome for a group of lines. */
export type Committed = 'kept' | 'finished' | 'cancelled' | 'gone';

/** The port to the jobs and their lines, for those that work on them. */
export interface LineStore extends InputMemory {
  /** Starts the slice that begins with an input; null for a job that is deleted, cancelled or done. */
  takeUp(id: string, first: number): Promise<Slice | null>;
  /** Records that an input of the job is in progress. */
  begin(id: string): Promise<void>;
  /**
   * Stores the lines of inputs and ends these, refunds failed ones, and remembers what they returned. The last line
   * finishes the job. Resolves when everything is on disk.
   */
  commit(id: string, finished: readonly FinishedInput[]): Promise<Committed>;
  /** Writes a bounded number of a cancelled job's missing lines; true if none remain. */
  writeCancelled(id: string): Promise<boolean>;
  /** Resolves with the states of the given jobs that still have unwritten lines. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, JobStatus>>;
}
