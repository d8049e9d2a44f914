import type { LRUCache } from 'lru-cache';
import type { StorageError } from '../errors/storage-error.js';
import { type Clock, systemClock } from '../runtime/clock.js';
import type { CachedAnswer, CacheStore } from './cache.js';
import type { CacheEntry } from './cache-entry.js';
import { memoryTier } from './memory-tier.js';
import { SqliteTier } from './sqlite-tier.js';

export interface CacheOptions {
  /** The SQLite file; made when it is first written to. Several processes may share it. */
  readonly file: string;
  /** File of an earlier release, which is removed when the other is opened. */
  readonly replaces?: string | undefined;
  /** Bytes the tier in memory may take; 0 for none. */
  readonly memoryBytes: number;
  readonly clock?: Clock;
  /** Told when the file cannot be used, so that calls go on without it; and null when it can be used again. */
  readonly onFault?: ((fault: StorageError | null) => void) | undefined;
}

/** A cache of two tiers, memory before a file. Nothing is opened before it is needed. */
export function openCache({
  file,
  replaces,
  memoryBytes,
  clock = systemClock,
  onFault = () => {},
}: CacheOptions): CacheStore {
  const near = memoryBytes > 0 ? memoryTier(memoryBytes) : undefined;
  return new TieredCache(near, new SqliteTier({ file, replaces, clock, onFault }), clock);
}

class TieredCache implements CacheStore {
  readonly #near: LRUCache<string, CacheEntry> | undefined;
  readonly #far: SqliteTier;
  readonly #clock: Clock;
  #changes = 0;

  constructor(near: LRUCache<string, CacheEntry> | undefined, far: SqliteTier, clock: Clock) {
    this.#near = near;
    this.#far = far;
    this.#clock = clock;
  }

  async get(key: string): Promise<CachedAnswer | undefined> {
    const near = this.#near?.get(key);
    return near !== undefined && this.#lives(near) ? near.answer : this.#fetch(key);
  }

  async #fetch(key: string): Promise<CachedAnswer | undefined> {
    const changes = this.#changes;
    const far = await this.#far.get(key);
    if (far === undefined || !this.#lives(far)) return undefined;
    // What was set or cleared meanwhile is newer than what was read.
    if (changes === this.#changes) this.#near?.set(key, far);
    return far.answer;
  }

  async set(key: string, answer: CachedAnswer, seconds: number): Promise<void> {
    this.#changes++;
    const kept = { answer, expires: this.#clock.now() + seconds * 1000 };
    this.#near?.set(key, kept);
    await this.#far.set(key, kept);
  }

  async clear(): Promise<void> {
    this.#changes++;
    this.#near?.clear();
    await this.#far.clear();
  }

  async close(): Promise<void> {
    this.#near?.clear();
    await this.#far.close();
  }

  #lives({ expires }: CacheEntry): boolean {
    return this.#clock.now() < expires;
  }
}
