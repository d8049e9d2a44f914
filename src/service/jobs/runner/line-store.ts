import type { EndedInput, JobAtWork } from '../job.js';

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

/** The result of writing a group of lines. */
export type Committed = 'kept' | 'finished' | 'cancelled' | 'gone';
