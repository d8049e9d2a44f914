/** The lines of a job as far as they are final. */
export interface OpenResults {
  /** Bytes that are there now. */
  readonly bytes: number;
  /** True when there will be no more. */
  readonly whole: boolean;
  /** Where the line of an input begins; null when it is not there yet. */
  offsetOf(line: number): Promise<number | null>;
  /** The bytes from one position to another. */
  read(from: number, to: number): AsyncGenerator<Buffer, void, undefined>;
  /** The lines of some inputs, in order, with their line feeds; only of results that are whole. */
  pick(lines: readonly number[]): AsyncGenerator<Buffer, void, undefined>;
  /** The lines from one on to the job's end, as they come. Throws when the signal is aborted. */
  follow(line: number, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined>;
  /** To be called whatever becomes of the reading; again changes nothing. */
  close(): Promise<void>;
}

/** The port to the results of jobs, for reading. */
export interface JobResults {
  /** Opens the results of a job. Rejects `job_not_found`, `results_expired`. */
  open(account: string, id: string): Promise<OpenResults>;
}
