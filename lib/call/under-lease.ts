import type { CacheStore } from '../cache/cache.js';
import type { FetchLeases } from '../cache/fetch-leases.js';
import { StorageError } from '../errors/storage-error.js';
import type { CallSignal } from '../runtime/abort.js';
import type { Clock } from '../runtime/clock.js';
import type { FetchedAnswer } from './fetch-answer.js';

/** The result for every caller that waits for a fetch. */
export type FetchedByOne = Pick<FetchedAnswer, 'answer' | 'browsed' | 'records'>;

/** Milliseconds between checks for another server's answer. */
const pollMs = 250;

export interface LeasedFetch {
  readonly clock: Clock;
  readonly cache: CacheStore;
  readonly leases: FetchLeases;
  readonly key: string;
  /** Ends the wait, but not the fetch. */
  readonly signal: CallSignal;
  /** Reads from the platform and caches the answer. */
  fetch(): Promise<FetchedByOne>;
}

/** Takes the lease. If leases cannot be used, each server fetches alone, which costs a request but no answer. */
async function take(leases: FetchLeases, key: string): Promise<'taken' | 'held' | 'unusable'> {
  try {
    return (await leases.take(key)) ? 'taken' : 'held';
  } catch (error) {
    if (error instanceof StorageError) return 'unusable';
    throw error;
  }
}

/**
 * Fetches under the lease of the key. While another server holds it, waits for its answer in the cache. If that server
 * fails or dies, the first to take the lease fetches.
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
      // Another server may have finished since the last check.
      const cached = await cache.get(key);
      if (cached !== undefined) return { answer: cached, browsed: false };
      if (state === 'taken') return await fetch();
    } finally {
      if (state === 'taken') await leases.release(key).catch(() => undefined);
    }
    await clock.sleep(pollMs, signal);
  }
}
