import type { StorageError } from '../errors/storage-error.js';
import type { CacheEntry } from './cache-entry.js';

/**
 * The port to the second tier of the cache, behind the memory. `get` and `set` never reject: a store that cannot be
 * used is a miss, and is told of once.
 */
export interface CacheTier {
  /** The entry of a key, expired or not. */
  get(key: string): Promise<CacheEntry | undefined>;
  /** Keeps an entry. */
  set(key: string, entry: CacheEntry): Promise<void>;
  /** Forgets everything. Rejects with a `StorageError` where the entries are still there. */
  clear(): Promise<void>;
  /** Lets what is under way come to its end, and lets go of files and connections. */
  close(): Promise<void>;
}

/** Receives the fault of a store that cannot be used, once. Receives null when it can be used again. */
export type OnCacheFault = (fault: StorageError | null) => void;
