/** A process's count of a caller since its last report. */
export interface CallerCount {
  readonly caller: string;
  readonly used: number;
  /** Milliseconds left of the caller's window in this process. */
  readonly left: number;
}

/** The count of a caller across all processes in the current window. */
export interface CallerTotal {
  readonly caller: string;
  readonly used: number;
  /** Identifies the window. */
  readonly began: number;
  /** Milliseconds left of it. */
  readonly left: number;
}

/** Counts the callers' requests together for all servers of a database. */
export interface SharedCounts {
  /**
   * Adds counts, one per caller, to the current windows. If one has ended, another starts, for the time left in this
   * process. Returns the totals. Rejects with a `StorageError` if the store cannot be used.
   */
  add(counts: readonly CallerCount[]): Promise<readonly CallerTotal[]>;
}
