import { setImmediate } from 'node:timers/promises';

/** What was forgotten in one place: a line of the receipt. */
export interface Forgotten {
  readonly place: string;
  /** Entries that were removed or changed; null for a place that could not be reached. */
  readonly removed: number | null;
  readonly note: string | null;
}

export const forgottenIn = (storeName: string, removed: number, note: string | null = null): Forgotten => ({
  ...{ place: storeName, removed, note },
});

/** A place that may still hold the subject. */
export const notReached = (storeName: string, note: string): Forgotten => ({
  place: storeName,
  removed: null,
  note,
});

/** Lets the process receive a signal between two places. Rejects with the reason of an aborted one. */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
