import { Keyv } from 'keyv';
import type { Clock } from '../runtime/clock.js';
import { type AgingAnswer, entrySerialization } from './cache-entry.js';
import type { CarefulStore } from './careful-store.js';

/** Keys of ours in a store that others may use as well: emptying the cache removes no others. */
export const namespace = 'extract';

/** The clocks of servers that share a cache may be so far apart. */
export const sharedSkewMs = 60_000;

/** The second tier of the cache, behind the memory. Its `getRaw` gives an entry, expired or not. */
export type CacheTier = Keyv<AgingAnswer>;

/**
 * A tier over a store. `skewMs`: the clocks of those who write to it may be so far apart. Who reads an entry holds its end
 * against a clock of their own.
 */
export function tierOver(store: CarefulStore, clock: Clock, skewMs = 0): CacheTier {
  const serialization = entrySerialization(clock, skewMs);
  return new Keyv({ store, namespace, serialization, checkExpired: false });
}
