/** One run of a watch. */
export interface WatchRun {
  /** When it was begun; milliseconds since 1970. */
  readonly at: number;
  /** Its own output file; null for the standard output. */
  readonly output: string | null;
}

/** The report of a run, kept until its webhook accepted it or was given up. */
export interface WatchDelivery {
  /** Stays the same over attempts and restarts. */
  readonly id: string;
  readonly body: string;
}

/** How far a watch has come. */
export interface WatchState {
  /** The first run, from which intervals count. */
  readonly anchor: number;
  /** When a run was begun or taken up last. */
  readonly last: number;
  /** The run that is not finished. */
  readonly run: WatchRun | null;
  readonly delivery: WatchDelivery | null;
}

/** Watches that are remembered: those whose runs are the newest. */
export const maxWatches = 1_000;

/** The port to how far watches have come. Each method rejects with a `StorageError` when the store cannot be used. */
export interface WatchStore {
  /** The state of a watch; null for one that never ran. */
  read(id: string): Promise<WatchState | null>;
  /** Replaces the state of a watch, and forgets the oldest beyond `maxWatches`; resolves when it is on the disk. */
  write(id: string, state: WatchState): Promise<void>;
}
