/** A process's count of a caller since its last report. */
export interface CallerCount {
  readonly caller: string;
  readonly used: number;
  /** Milliseconds that are left of the caller's window here. */
  readonly left: number;
}

/** The count of a caller by all processes in the current window. */
export interface CallerTotal {
  readonly caller: string;
  readonly used: number;
  /** The number of the window: another number is a new window. */
  readonly began: number;
  /** Milliseconds that are left of it. */
  readonly left: number;
}

/** The port by which the servers of a database count the requests of a caller together. */
export interface SharedCounts {
  /**
   * Adds counts, each caller named once, to the windows under way. Where one is over another begins, as long as what is
   * left of it here. Resolves with the totals. Rejects with a `StorageError` where the store cannot be used.
   */
  add(counts: readonly CallerCount[]): Promise<readonly CallerTotal[]>;
}
