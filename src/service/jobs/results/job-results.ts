/** The final lines of a job so far. */
export interface OpenResults {
  readonly bytes: number;
  /** True when there will be no more. */
  readonly isComplete: boolean;
  /** Returns the offset of an input's line; null if it does not exist yet. */
  offsetOf(line: number): Promise<number | null>;
  read(from: number, to: number): AsyncGenerator<Buffer, void, undefined>;
  /** Returns the lines of some inputs in order, with line feeds. Requires complete results. */
  pick(lines: readonly number[]): AsyncGenerator<Buffer, void, undefined>;
  /** Yields the lines from an index to the job's end, as they are written. Throws when the signal is aborted. */
  follow(line: number, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined>;
}

export interface JobResults {
  /** Opens the results of a job. Rejects `job_not_found`, `results_expired`. */
  open(account: string, id: string): Promise<OpenResults>;
}
