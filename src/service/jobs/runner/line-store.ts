import type { JobAtWork, JobStatus } from '../job.js';
import type { InputMemory } from '../schedules/schedule-memory.js';
import type { FinishedInput } from './run-input.js';

/** A slice of a job: inputs that are worked on as one task. */
export interface Slice {
  readonly job: JobAtWork;
  /** Resolves with the indexes of those of its inputs that have not ended, in order. */
  pending(): Promise<readonly number[]>;
  /** One of these inputs as JSON text. */
  input(index: number): string | Promise<string>;
}

/** The fate of a group of lines. */
export type Committed = 'kept' | 'finished' | 'cancelled' | 'gone';

/** The port to the jobs and their lines, for those who work on them. */
export interface LineStore extends InputMemory {
  /** Takes up the slice that begins with an input; null for a job that is gone, cancelled or done. */
  takeUp(id: string, first: number): Promise<Slice | null>;
  /** An input of the job is being worked on. */
  begin(id: string): Promise<void>;
  /**
   * Keeps the lines of inputs and ends these, refunds those that failed, and remembers what they gave. The last line
   * finishes the job. Resolves when all of it is on the disk.
   */
  commit(id: string, finished: readonly FinishedInput[]): Promise<Committed>;
  /** Writes lines of a cancelled job that are missing, a bounded number; true when none is left. */
  writeCancelled(id: string): Promise<boolean>;
  /** Resolves with the states of the given jobs that still have lines to write. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, JobStatus>>;
}
