import type { PageCoverage } from '../call/coverage.js';
import type { StorageError } from '../errors/storage-error.js';
import type { Json } from '../read/json.js';
import { makeOnce } from '../runtime/make-once.js';

/** One cached answer. */
export interface CachedAnswer {
  /** The answer's `data`, serialised once and sent as it stands. */
  readonly data: string;
  /** When it was fetched, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** Where the next page begins, null on the last page. It is not a cursor, which each answer makes for itself. */
  readonly next: Json;
  /** Fingerprints of the items, in order; empty for one object. */
  readonly prints: readonly string[];
  /** The source of each item on the page, as JSON text; left out by versions that did not read it. */
  readonly sources?: string;
  /**
   * The place of each item on the page as the platform gave it, from 0; left out where all items are there. Fingerprints are
   * those of all.
   */
  readonly places?: readonly number[];
  /** True for a correct but incomplete answer. */
  readonly brief?: boolean;
  /** How much of what was asked for it holds; left out by versions that did not say. */
  readonly coverage?: PageCoverage;
}

/**
 * The port to cached answers. Losing an entry costs a fetch and nothing else. `get` and `set` never reject, and an
 * unusable store is a miss. `clear` rejects with a `StorageError` when the entries are still there.
 */
export interface CacheStore {
  /** The answer under a key, or undefined when there is none or its lifetime is over. */
  get(key: string): Promise<CachedAnswer | undefined>;
  /** Keeps an answer for `seconds`. */
  set(key: string, answer: CachedAnswer, seconds: number): Promise<void>;
  /** Forgets everything. */
  clear(): Promise<void>;
  /** Lets go of files. */
  close(): Promise<void>;
}

/** Receives the fault of a store that cannot be used, once. Receives null when it can be used again. */
export type OnCacheFault = (fault: StorageError | null) => void;

/** The cache of an installation that switches it off: stores nothing. */
export const noCache: CacheStore = {
  get: async () => undefined,
  set: async () => undefined,
  clear: async () => undefined,
  close: async () => undefined,
};

/** A cache that is opened when somebody first asks it something, and anew when that is after `close`. */
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
