/** One run of a watch. */
export interface WatchRun {
  /** When it began; milliseconds since 1970. */
  readonly at: number;
  /** Its own output file; null for the standard output. */
  readonly output: string | null;
}

/** The report of a run, kept until its webhook accepts it or the delivery fails. */
export interface WatchDelivery {
  /** Stays the same over attempts and restarts. */
  readonly id: string;
  readonly body: string;
}

/** The progress of a watch. */
export interface WatchState {
  /** The first run, from which intervals count. */
  readonly anchor: number;
  /** When a run last began or resumed. */
  readonly last: number;
  /** The unfinished run. */
  readonly run: WatchRun | null;
  readonly delivery: WatchDelivery | null;
}

/** Number of watches remembered: those with the latest runs. */
export const maxWatches = 1_000;

/** The port to the progress of watches. Each method rejects with a `StorageError` if the store is unusable. */
export interface WatchStore {
  /** Returns the state of a watch; null for one that never ran. */
  read(id: string): Promise<WatchState | null>;
  /** Replaces the state of a watch, and deletes the oldest beyond `maxWatches`; resolves when it is on disk. */
  write(id: string, state: WatchState): Promise<void>;
}
