export interface WatchRun {
  /** Start, in milliseconds since 1970. */
  readonly at: number;
  /** The run's output file; null for stdout. */
  readonly output: string | null;
}

/** The report of a run, kept until its webhook accepts it or delivery fails for good. */
export interface WatchDelivery {
  /** Stays the same over attempts and restarts. */
  readonly id: string;
  readonly body: string;
}

export interface WatchState {
  /** Start of the first run, from which intervals count. */
  readonly anchor: number;
  /** When a run last began or resumed. */
  readonly last: number;
  /** The unfinished run. */
  readonly run: WatchRun | null;
  readonly delivery: WatchDelivery | null;
}

/** The watches with the latest runs are remembered. */
export const maxWatches = 1_000;

/** The port to the progress of watches. Each method rejects with a `StorageError` if the store is unusable. */
export interface WatchStore {
  /** Returns the state of a watch; null if it never ran. */
  read(id: string): Promise<WatchState | null>;
  /** Replaces the state of a watch, and deletes the oldest beyond `maxWatches`; resolves when it is on disk. */
  write(id: string, state: WatchState): Promise<void>;
}
