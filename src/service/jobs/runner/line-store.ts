import type { EndedInput, JobAtWork, JobStatus } from '../job.js';
import type { InputMemory } from '../schedules/schedule-memory.js';

/** Inputs of a job that are processed as one task. */
export interface Slice {
  readonly job: JobAtWork;
  /** Resolves with the indexes of unfinished inputs, in order. */
  pending(): Promise<readonly number[]>;
  /** Returns one of them as JSON text. */
  input(index: number): string | Promise<string>;
}

export interface FinishedInput extends EndedInput {
  readonly line: Buffer;
}

/** What became of a group of lines. */
export type Committed = 'kept' | 'finished' | 'cancelled' | 'gone';

/** Jobs and their lines, for workers. */
export interface LineStore extends InputMemory {
  /** Opens the slice that begins with an input; null if the job is deleted, cancelled or done. */
  resume(id: string, first: number): Promise<Slice | null>;
  /** Records that an input of the job is in progress. */
  begin(id: string): Promise<void>;
  /**
   * Stores the lines of inputs and ends them, refunds failed ones, and remembers what they returned. The last line
   * finishes the job. Resolves once everything is on disk.
   */
  commit(id: string, inputs: readonly FinishedInput[]): Promise<Committed>;
  /** Writes some of a cancelled job's missing lines. Resolves with true if none remain. */
  writeCancelled(id: string): Promise<boolean>;
  /** Resolves with the states of those jobs that still have unwritten lines. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, JobStatus>>;
}
