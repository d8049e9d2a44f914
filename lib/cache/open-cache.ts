import { LRUCache } from 'lru-cache';
import type { StorageError } from '../errors/storage-error.js';
import { type Clock, systemClock } from '../runtime/clock.js';
import type { CachedAnswer, CacheStore } from './cache.js';
import { type CacheEntry, isAlive } from './cache-entry.js';
import { SqliteTier } from './sqlite/sqlite-tier.js';

/** Bytes an entry has besides its texts: objects, list slots and the map's own. */
const overhead = 512;

/** Bytes an entry takes at most: two for each character. */
function size({ answer }: CacheEntry, key: string): number {
  const prints = answer.prints.reduce((sum, print) => sum + print.length + 16, 0);
  const next = answer.next === null ? 0 : JSON.stringify(answer.next).length;
  return 2 * (key.length + answer.data.length + prints + next) + overhead;
}

/**
 * The memory tier: a map that drops the least recently used entries when it grows beyond `bytes`. Entries are stored
 * as they are, neither serialised nor parsed. It does not store an entry that is larger than `bytes`.
 */
export function memoryTier(bytes: number): LRUCache<string, CacheEntry> {
  return new LRUCache({ maxSize: Math.max(1, Math.floor(bytes)), sizeCalculation: size });
}

export interface CacheOptions {
  /** The SQLite file; made when it is first written to. Several processes may share it. */
  readonly file: string;
  /** File of an earlier release, which is removed when the other is opened. */
  readonly replaces?: string | undefined;
  /** Bytes the tier in memory may take; 0 for none. */
  readonly memoryBytes: number;
  /** Bytes that the entries in the file may take: the oldest make room. No bound when left out. */
  readonly diskBytes?: number | undefined;
  readonly clock?: Clock;
  /** Called when the file cannot be used, so that calls go on without it. And null when it can be used again. */
  readonly onFault?: ((fault: StorageError | null) => void) | undefined;
}

/** A cache of two tiers, memory before a file. Nothing is opened before it is needed. */
export function openCache({
  file,
  replaces,
  memoryBytes,
  diskBytes,
  clock = systemClock,
  onFault = () => {},
}: CacheOptions): CacheStore {
  const memory = memoryBytes > 0 ? memoryTier(memoryBytes) : undefined;
  return new TieredCache(memory, new SqliteTier({ file, replaces, diskBytes, clock, onFault }), clock);
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
    const lifetime = seconds * 1000;
    const entry = { answer, lifetime, expires: this.#clock.now() + lifetime };
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

  #lives(entry: CacheEntry): boolean {
    return isAlive(entry, this.#clock.now());
  }
}
