import type { KeyvValue } from 'keyv';
import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../runtime/clock.js';
import type { CachedAnswer, CacheStore, OnCacheFault } from './cache.js';
import { type AgingAnswer, type CacheEntry, isAlive } from './cache-entry.js';
import { sqliteTier } from './sqlite/sqlite-tier.js';
import type { CacheTier } from './tier.js';

/** Bytes of an entry besides its texts: objects, list slots and map entries. */
const overhead = 512;

/** Returns an entry's maximum bytes, at two per character. */
function size({ answer }: CacheEntry, key: string): number {
  const prints = answer.prints.reduce((sum, print) => sum + print.length + 16, 0);
  const next = answer.next === null ? 0 : JSON.stringify(answer.next).length;
  const sources = answer.sources?.length ?? 0;
  return 2 * (key.length + answer.data.length + prints + sources + next) + overhead;
}

/**
 * The memory tier, read synchronously: a map that evicts the least recently used entries above `bytes`. Entries are
 * objects, not serialised. An entry larger than `bytes` is not stored.
 */
export function memoryTier(bytes: number): LRUCache<string, CacheEntry> {
  return new LRUCache({ maxSize: Math.max(1, Math.floor(bytes)), sizeCalculation: size });
}

export interface CacheOptions {
  /** The SQLite file, created on the first write. Several processes may share it. */
  readonly file: string;
  /** The file of an earlier release, removed when the new one is opened. */
  readonly replaces?: string | undefined;
  /** Maximum bytes of the memory tier; 0 disables it. */
  readonly memoryBytes: number;
  /** Maximum bytes of entries in the file, beyond which the oldest are evicted; unlimited by default. */
  readonly diskBytes?: number | undefined;
  readonly clock?: Clock;
  /** Called when the file cannot be used and calls continue without it, and with null once it works again. */
  readonly onFault?: OnCacheFault | undefined;
}

/** Returns a cache with memory in front of another tier. With `memoryBytes` 0, only the other tier is used. */
export function tieredCache(memoryBytes: number, tier: CacheTier, clock: Clock = systemClock): CacheStore {
  return new TieredCache(memoryBytes > 0 ? memoryTier(memoryBytes) : undefined, tier, clock);
}

/** Returns a cache with memory in front of a file. Opens nothing before it is needed. */
export function openCache({
  file,
  replaces,
  memoryBytes,
  diskBytes,
  clock = systemClock,
  onFault = () => {},
}: CacheOptions): CacheStore {
  return tieredCache(memoryBytes, sqliteTier({ file, replaces, diskBytes, clock, onFault }), clock);
}

const entryOf = ({ value, expires }: KeyvValue<AgingAnswer>): CacheEntry | undefined =>
  value === undefined || expires === undefined ? undefined : { ...value, expires };

class TieredCache implements CacheStore {
  readonly #memory: LRUCache<string, CacheEntry> | undefined;
  readonly #second: CacheTier;
  readonly #clock: Clock;
  readonly #running = new Set<Promise<unknown>>();
  #changes = 0;

  constructor(memory: LRUCache<string, CacheEntry> | undefined, second: CacheTier, clock: Clock) {
    this.#memory = memory;
    this.#second = second;
    this.#clock = clock;
  }

  async get(key: string): Promise<CachedAnswer | undefined> {
    const memory = this.#memory?.get(key);
    return memory !== undefined && this.#lives(memory) ? memory.answer : this.#fetch(key);
  }

  async #fetch(key: string): Promise<CachedAnswer | undefined> {
    const changes = this.#changes;
    const text = await this.#run(this.#second.getRaw(key));
    const entry = typeof text === 'object' ? entryOf(text) : undefined;
    if (entry === undefined || !this.#lives(entry)) return undefined;
    // An entry set or cleared meanwhile is newer than the one read.
    if (changes === this.#changes) this.#memory?.set(key, entry);
    return entry.answer;
  }

  async set(key: string, answer: CachedAnswer, seconds: number): Promise<void> {
    this.#changes++;
    const lifetime = seconds * 1000;
    const [value, expires] = [{ answer, lifetime }, this.#clock.now() + lifetime];
    this.#memory?.set(key, { ...value, expires });
    // Its `set` would compute the expiry from the machine's clock.
    await this.#run(this.#second.setRaw(key, { value, expires }));
  }

  async clear(): Promise<void> {
    this.#changes++;
    this.#memory?.clear();
    await this.#idle();
    // The tier's own `clear` would emit an error and resolve.
    await this.#second.store.clear();
  }

  async close(): Promise<void> {
    this.#memory?.clear();
    await this.#idle();
    await this.#second.disconnect();
  }

  async #run<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  /** Waits for running operations, so that an answer being set is cleared, too, or stored before closing. */
  async #idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #lives(entry: CacheEntry): boolean {
    return isAlive(entry, this.#clock.now());
  }
}
