import type { CacheStore } from '../cache/cache.js';
import type { FetchLeases } from '../cache/fetch-leases.js';
import { StorageError } from '../errors/storage-error.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import type { FetchedAnswer } from './fetch-answer.js';

/** The answer for all callers that wait for a fetch. */
export type FetchedByOne = Pick<FetchedAnswer, 'answer' | 'browsed' | 'records'>;

/** Milliseconds from one look for another server's answer to the next. */
const lookAgainMs = 250;

export interface LeasedFetch {
  readonly clock: Clock;
  readonly cache: CacheStore;
  readonly leases: FetchLeases;
  readonly key: string;
  /** Ends the waiting; the fetch sees to itself. */
  readonly signal: CallSignal;
  /** Reads from the platform and keeps the answer in the cache. */
  fetch(): Promise<FetchedByOne>;
}

/** Takes the lease. Where leases cannot be used each server fetches for itself: that costs a request and no answer. */
async function take(leases: FetchLeases, key: string): Promise<'taken' | 'held' | 'unusable'> {
  try {
    return (await leases.take(key)) ? 'taken' : 'held';
  } catch (error) {
    if (error instanceof StorageError) return 'unusable';
    throw error;
  }
}

/**
 * Fetches under the lease of the key. While another server has it, waits for that one's answer in the cache. Where that
 * one fails or is gone, the first to take the lease fetches.
 */
export async function underLease({
  clock,
  cache,
  leases,
  key,
  signal,
  fetch,
}: LeasedFetch): Promise<FetchedByOne> {
  for (;;) {
    const state = await take(leases, key);
    if (state === 'unusable') return fetch();
    try {
      // Another server may have finished since this one looked last.
      const found = await cache.get(key);
      if (found !== undefined) return { answer: found, browsed: false };
      if (state === 'taken') return await fetch();
    } finally {
      if (state === 'taken') await leases.release(key).catch(() => undefined);
    }
    await clock.sleep(lookAgainMs, signal);
  }
}
