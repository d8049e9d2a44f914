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
  /** Called when the file cannot be used, so that calls go on without it; and null when it can be used again. */
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
  const memory = memoryBytes > 0 ? memoryTier(memoryBytes) : undefined;
  return new TieredCache(memory, new SqliteTier({ file, replaces, clock, onFault }), clock);
}

class TieredCache implements CacheStore {
  readonly #memory: LRUCache<string, CacheEntry> | undefined;
  readonly #disk: SqliteTier;
  readonly #clock: Clock;
  #changes = 0;

  constructor(memory: LRUCache<string, CacheEntry> | undefined, disk: SqliteTier, clock: Clock) {
    this.#memory = memory;
    this.#disk = disk;
    this.#clock = clock;
  }

  async get(key: string): Promise<CachedAnswer | undefined> {
    const memory = this.#memory?.get(key);
    return memory !== undefined && this.#lives(memory) ? memory.answer : this.#fetch(key);
  }

  async #fetch(key: string): Promise<CachedAnswer | undefined> {
    const changes = this.#changes;
    const disk = await this.#disk.get(key);
    if (disk === undefined || !this.#lives(disk)) return undefined;
    // What was set or cleared meanwhile is newer than what was read.
    if (changes === this.#changes) this.#memory?.set(key, disk);
    return disk.answer;
  }

  async set(key: string, answer: CachedAnswer, seconds: number): Promise<void> {
    this.#changes++;
    const entry = { answer, expires: this.#clock.now() + seconds * 1000 };
    this.#memory?.set(key, entry);
    await this.#disk.set(key, entry);
  }

  async clear(): Promise<void> {
    this.#changes++;
    this.#memory?.clear();
    await this.#disk.clear();
  }

  async close(): Promise<void> {
    this.#memory?.clear();
    await this.#disk.close();
  }

  #lives({ expires }: CacheEntry): boolean {
    return this.#clock.now() < expires;
  }
}
