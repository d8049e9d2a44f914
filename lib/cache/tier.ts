import { Keyv } from 'keyv';
import type { Clock } from '../runtime/clock.js';
import { type AgingAnswer, entrySerialization } from './cache-entry.js';
import type { CarefulStore } from './careful-store.js';

/** Prefix of our keys in a store that others may use, too. Emptying the cache removes only these. */
export const namespace = 'extract';

/** Maximum difference between the clocks of servers that share a cache, in milliseconds. */
export const sharedSkewMs = 60_000;

/** The cache tier behind memory. Its `getRaw` returns expired entries, too. */
export type CacheTier = Keyv<AgingAnswer>;

/**
 * Returns a tier over a store. `skewMs` is the maximum difference between its writers' clocks. Readers compare expiry
 * times with their own clock.
 */
export function tierOver(store: CarefulStore, clock: Clock, skewMs = 0): CacheTier {
  const serialization = entrySerialization(clock, skewMs);
  return new Keyv({ store, namespace, serialization, checkExpired: false });
}
