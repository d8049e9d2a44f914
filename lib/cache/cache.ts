import type { PageCoverage } from '../call/coverage.js';
import type { StorageError } from '../errors/storage-error.js';
import type { Json } from '../read/json.js';
import { makeOnce } from '../runtime/make-once.js';

/** One cached answer. */
export interface CachedAnswer {
  /** The answer's `data`, serialised once and sent unchanged. */
  readonly data: string;
  /** When it was fetched, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** The position of the next page, null on the last page. Not a cursor, which each answer creates for itself. */
  readonly next: Json;
  /** Fingerprints of the items, in order; empty for one object. */
  readonly prints: readonly string[];
  /** The source of each item on the page, as JSON text. Undefined in entries of versions that did not read it. */
  readonly sources?: string;
  /**
   * The index of each item among the items of the platform's page, from 0. Undefined if no item was removed.
   * Fingerprints cover all items of the page.
   */
  readonly places?: readonly number[];
  /** True for a correct but incomplete answer. */
  readonly brief?: boolean;
  /** How much of what was requested it holds. Undefined in entries of versions that did not record it. */
  readonly coverage?: PageCoverage;
}

/**
 * The port to cached answers. Losing an entry costs a fetch and nothing else. `get` and `set` never reject: an unusable
 * store is a miss. `clear` rejects with a `StorageError` if the entries still exist.
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

/** Called once with the fault of a store that cannot be used, and with null when it works again. */
export type OnCacheFault = (fault: StorageError | null) => void;

/** A cache that stores nothing, for installations that disable it. */
export const noCache: CacheStore = {
  get: async () => undefined,
  set: async () => undefined,
  clear: async () => undefined,
  close: async () => undefined,
};

/** Returns a cache that is opened on first use, and reopened when used after `close`. */
export function lazyCache(open: () => Promise<CacheStore>): CacheStore {
  const opened = makeOnce(open);
  const usable = () => opened.get().catch(() => noCache);
  return {
    get: async (key) => (await usable()).get(key),
    set: async (key, answer, seconds) => (await usable()).set(key, answer, seconds),
    clear: async () => (await opened.get()).clear(),
    close: async () => (await opened.take()?.catch(() => undefined))?.close(),
  };
}
