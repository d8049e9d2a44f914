/** The outcome of a forgetting in one place: a line of its receipt. */
export interface Forgotten {
  readonly place: string;
  /** Entries that were removed or changed; null for a place that could not be reached. */
  readonly removed: number | null;
  readonly note: string | null;
}

/** A place that was gone through. */
export const forgottenIn = (storeName: string, removed: number, note: string | null = null): Forgotten => ({
  ...{ place: storeName, removed, note },
});

/** A place that may hold the subject still. */
export const notReached = (storeName: string, note: string): Forgotten => ({
  place: storeName,
  removed: null,
  note,
});
