import type { PageCoverage } from '../call/coverage.js';
import type { StorageError } from '../errors/storage-error.js';
import type { Json } from '../read/json.js';
import { makeOnce } from '../runtime/make-once.js';

/** One cached answer. */
export interface CachedAnswer {
  /** The answer's `data` as JSON text, sent unchanged. */
  readonly data: string;
  /** When it was fetched, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** The position of the next page; null on the last page. Not a cursor: each call creates its own. */
  readonly next: Json;
  /** Fingerprints of the items, in order; empty for one object. */
  readonly prints: readonly string[];
  /** The source of each item as JSON text. Undefined in entries of versions without sources. */
  readonly sources?: string;
  /**
   * Each item's index on the platform's page, from 0. Undefined if no item was removed. Fingerprints cover all items of
   * the page.
   */
  readonly places?: readonly number[];
  /** True for a correct but incomplete answer. */
  readonly brief?: boolean;
  /** How much of the request it holds. Undefined in entries of versions without coverage. */
  readonly coverage?: PageCoverage;
}

/**
 * Cached answers. Losing one only costs a fetch. `get` and `set` never reject: an unusable store counts as a miss.
 * `clear` rejects with a `StorageError` if the entries still exist.
 */
export interface CacheStore {
  /** Returns the answer stored under a key; undefined if there is none or it has expired. */
  get(key: string): Promise<CachedAnswer | undefined>;
  /** Stores an answer for `seconds`. */
  set(key: string, answer: CachedAnswer, seconds: number): Promise<void>;
  /** Removes every entry. */
  clear(): Promise<void>;
  /** Closes files. */
  close(): Promise<void>;
}

/** Called with the error when a store becomes unusable, and with null once it works again. */
export type OnCacheFault = (fault: StorageError | null) => void;

/** The cache of installations that disable it. */
export const noCache: CacheStore = {
  get: async () => undefined,
  set: async () => undefined,
  clear: async () => undefined,
  close: async () => undefined,
};

/** Returns a cache that opens on first use, also after `close`. */
export function lazyCache(open: () => Promise<CacheStore>): CacheStore {
  const cache = makeOnce(open);
  const usable = () => cache.get().catch(() => noCache);
  return {
    get: async (key) => (await usable()).get(key),
    set: async (key, answer, seconds) => (await usable()).set(key, answer, seconds),
    clear: async () => (await cache.get()).clear(),
    close: async () => (await cache.take()?.catch(() => undefined))?.close(),
  };
}
