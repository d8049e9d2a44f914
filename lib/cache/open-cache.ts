import type { KeyvValue } from 'keyv';
import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../runtime/clock.js';
import type { CachedAnswer, CacheStore, OnCacheFault } from './cache.js';
import { type AgingAnswer, type CacheEntry, isAlive } from './cache-entry.js';
import { sqliteTier } from './sqlite/sqlite-tier.js';
import type { CacheTier } from './tier.js';

/** Bytes an entry has besides its texts: objects, list slots and the map's own. */
const overhead = 512;

/** Bytes an entry takes at most: two for each character. */
function size({ answer }: CacheEntry, key: string): number {
  const prints = answer.prints.reduce((sum, print) => sum + print.length + 16, 0);
  const next = answer.next === null ? 0 : JSON.stringify(answer.next).length;
  const sources = answer.sources?.length ?? 0;
  return 2 * (key.length + answer.data.length + prints + sources + next) + overhead;
}

/**
 * The memory tier, which is asked without waiting: a map that drops the least recently used entries when it grows beyond `bytes`. Entries are stored
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
  readonly onFault?: OnCacheFault | undefined;
}

/** A cache of memory before another tier. `memoryBytes` 0: of the other alone. */
export function tieredCache(memoryBytes: number, tier: CacheTier, clock: Clock = systemClock): CacheStore {
  return new TieredCache(memoryBytes > 0 ? memoryTier(memoryBytes) : undefined, tier, clock);
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
  return tieredCache(memoryBytes, sqliteTier({ file, replaces, diskBytes, clock, onFault }), clock);
}

const entryOf = ({ value, expires }: KeyvValue<AgingAnswer>): CacheEntry | undefined =>
  value === undefined || expires === undefined ? undefined : { ...value, expires };

class TieredCache implements CacheStore {
  readonly #memory: LRUCache<string, CacheEntry> | undefined;
  readonly #second: CacheTier;
  readonly #clock: Clock;
  /** What the second tier does now. */
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
    const found = await this.#run(this.#second.getRaw(key));
    const entry = typeof found === 'object' ? entryOf(found) : undefined;
    if (entry === undefined || !this.#lives(entry)) return undefined;
    // An entry that was set or cleared meanwhile is newer than the one that was read.
    if (changes === this.#changes) this.#memory?.set(key, entry);
    return entry.answer;
  }

  async set(key: string, answer: CachedAnswer, seconds: number): Promise<void> {
    this.#changes++;
    const lifetime = seconds * 1000;
    const [value, expires] = [{ answer, lifetime }, this.#clock.now() + lifetime];
    this.#memory?.set(key, { ...value, expires });
    // Its `set` would count from the machine's clock.
    await this.#run(this.#second.setRaw(key, { value, expires }));
  }

  async clear(): Promise<void> {
    this.#changes++;
    this.#memory?.clear();
    await this.#idle();
    // The tier's own would tell of a fault, and resolve.
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

  /** Resolves when what is under way has ended: an answer that is being set is cleared too, or is kept before it closes. */
  async #idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #lives(entry: CacheEntry): boolean {
    return isAlive(entry, this.#clock.now());
  }
}
