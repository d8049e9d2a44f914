import type { StorageError } from '../errors/storage-error.js';
import type { Clock } from '../runtime/clock.js';
import { withTimeout } from '../runtime/with-timeout.js';
import { type CacheEntry, entryFrom, entryText } from './cache-entry.js';
import type { CacheTier, OnCacheFault } from './cache-tier.js';
import { TierConnection } from './tier-connection.js';

/** An adapter of Keyv, as far as it is used here. Times are milliseconds since 1970. */
export interface KeyvAdapter {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, expires: number): Promise<void>;
  clear(): Promise<void>;
  /** Lets go of its connections, whatever state they are in. */
  disconnect(): Promise<void>;
}

export interface KeyvTierOptions {
  /** Loads its code and connects, within a time of its own. A rejection is a fault like any other. */
  open(): Promise<KeyvAdapter>;
  /** The port's error for what the adapter threw. */
  faultOf(cause: unknown): StorageError;
  /** Milliseconds that one operation may take, once the store is open. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly onFault: OnCacheFault;
}

/** The clocks of servers that share a cache may be so far apart. */
const clockToleranceMs = 60_000;

/** An operation took too long. */
export class CacheTimeout extends Error {}

/** When the entry expires comes first, so that reading it asks the store for nothing else. */
const textOf = (entry: CacheEntry) => `${Math.ceil(entry.expires)}\n${entryText(entry)}`;

function entryOf(text: string, now: number): CacheEntry | undefined {
  const end = text.indexOf('\n');
  const expires = Number(text.slice(0, Math.max(0, end)));
  const entry = end > 0 && Number.isFinite(expires) ? entryFrom(text.slice(end + 1)) : undefined;
  if (entry === undefined) return undefined;
  // The server that wrote it may be ahead: that does not make its answer one of unknown age.
  const isAhead = expires - now - entry.lifetime;
  return { ...entry, expires: isAhead > 0 && isAhead <= clockToleranceMs ? now + entry.lifetime : expires };
}

/**
 * The second tier of the cache in a store that several servers share, by an adapter of Keyv. A store that cannot be
 * used, or is too slow, is a miss. `onFault` is called once until it works again, and the next try follows after half a
 * minute.
 */
export class KeyvTier implements CacheTier {
  readonly #options: KeyvTierOptions;
  readonly #connection: TierConnection<KeyvAdapter>;

  constructor(options: KeyvTierOptions) {
    this.#options = options;
    const { clock, onFault } = options;
    this.#connection = new TierConnection({
      ...{ clock, onFault },
      open: () => options.open(),
      close: (adapter) => adapter.disconnect(),
      faultOf: (cause) => options.faultOf(cause),
    });
  }

  async get(key: string): Promise<CacheEntry | undefined> {
    const text = await this.#attempt((adapter) => adapter.get(key));
    return text === undefined ? undefined : entryOf(text, this.#options.clock.now());
  }

  async set(key: string, entry: CacheEntry): Promise<void> {
    await this.#attempt(async (adapter) => {
      await adapter.set(key, textOf(entry), Math.ceil(entry.expires));
      this.#connection.markWorking();
    });
  }

  clear(): Promise<void> {
    return this.#connection.clear((adapter) => adapter.clear());
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #attempt<T>(work: (adapter: KeyvAdapter) => Promise<T>): Promise<T | undefined> {
    const { clock, timeoutMs } = this.#options;
    const late = () => new CacheTimeout('The store did not answer in time.');
    return this.#connection.attempt((adapter) => withTimeout(work(adapter), timeoutMs, clock, late));
  }
}
