import type { KeyvStorageAdapter } from 'keyv';
import type { StorageError } from '../errors/storage-error.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import { withTimeout } from '../runtime/with-timeout.js';
import type { OnCacheFault } from './cache.js';

/** Milliseconds for which the store is not used after a failure. */
const retryAfterMs = 30_000;

export class CacheTimeout extends Error {}

/** The methods of a Keyv adapter that the cache uses. Each rejects if the store cannot be used. */
export type AnswerStore = Pick<KeyvStorageAdapter, 'get' | 'set' | 'clear'> &
  Required<Pick<KeyvStorageAdapter, 'disconnect'>>;

export interface CarefulStoreOptions<Store extends AnswerStore> {
  /** Loads the store's code and opens it, with its own timeout. A rejection counts as a failure. */
  open(): Promise<Store>;
  faultOf(cause: unknown): StorageError;
  /** Maximum milliseconds of an operation on an open store; unlimited by default. */
  readonly timeoutMs?: number;
  /** Repairs a failed store before it is closed. */
  mend?(store: Store, fault: StorageError): void;
  /**
   * Replaces a failed store after it was closed. Returns the error that reports this; null to leave the store unused
   * instead.
   */
  replace?(fault: StorageError): StorageError | null;
  /** Removes a store that could not be emptied, after it was closed. Returns false if it still exists. */
  remove?(fault: StorageError): boolean;
  readonly clock: Clock;
  /** Called with the first error, and with null once the store is writable again. */
  readonly onFault: OnCacheFault;
}

/**
 * A Keyv store whose failures never fail a call. Opened on first use. After a failure it is closed, `onFault` is called
 * once, and for half a minute every read is a miss.
 */
export class CarefulStore<Store extends AnswerStore = AnswerStore> {
  /** Keyv then passes an entry's expiry time instead of its lifetime. */
  readonly capabilities = { expires: true } as const;
  readonly #options: CarefulStoreOptions<Store>;
  #opening: Promise<Store> | undefined;
  #unusedUntil = Number.NEGATIVE_INFINITY;
  #faulty = false;
  #closed = false;

  constructor(options: CarefulStoreOptions<Store>) {
    this.#options = options;
  }

  /** Returns the text of a key, expired or not; undefined if the store cannot be used. */
  get(key: string) {
    return this.#attempt((store) => store.get<string>(key));
  }

  async set(key: string, value: unknown, expires?: number): Promise<boolean> {
    const isSet = await this.#attempt((store) => store.set(key, value, expires));
    // Only a write proves that it works: a full disk can still be read.
    if (isSet === true) this.#markWorking();
    return isSet ?? false;
  }

  /** Empties the store, even while it is not used after a failure. Rejects with the port's error. */
  async clear(): Promise<void> {
    const opening = this.#open();
    try {
      await (await opening).clear();
    } catch (cause) {
      const { faultOf, remove } = this.#options;
      const fault = faultOf(cause);
      const closing = this.#drop(opening);
      // Only a file must be closed before it is removed. A remote store may take its time.
      if (remove === undefined) throw fault;
      await closing;
      if (!remove(fault)) throw fault;
    }
    this.#markWorking();
    this.#unusedUntil = Number.NEGATIVE_INFINITY;
  }

  async disconnect(): Promise<void> {
    this.#closed = true;
    await this.#drop(this.#opening);
  }

  /** Runs an operation; undefined if it fails or the store is not in use. */
  async #attempt<T>(work: (store: Store) => Promise<T>): Promise<T | undefined> {
    const { clock, timeoutMs } = this.#options;
    if (this.#closed || elapsed(clock) < this.#unusedUntil) return undefined;
    const opening = this.#open();
    const late = () => new CacheTimeout('The store did not respond in time.');
    try {
      const result = work(await opening);
      return await (timeoutMs === undefined ? result : withTimeout(result, timeoutMs, clock, late));
    } catch (cause) {
      await this.#fail(opening, cause);
      return undefined;
    }
  }

  #markWorking(): void {
    if (this.#faulty) this.#options.onFault(null);
    this.#faulty = false;
  }

  async #fail(opening: Promise<Store>, cause: unknown): Promise<void> {
    if (this.#closed) return;
    const { clock, faultOf, mend, replace, onFault } = this.#options;
    const fault = faultOf(cause);
    let reported = fault;
    // After a second failure the store is already closed.
    if (this.#opening === opening) {
      this.#unusedUntil = elapsed(clock) + retryAfterMs;
      if (mend !== undefined) await opening.then((store) => mend(store, fault)).catch(() => undefined);
      const closing = this.#drop(opening);
      if (replace !== undefined) {
        await closing;
        const replaced = replace(fault);
        // A new store can be used immediately.
        if (replaced !== null) this.#unusedUntil = Number.NEGATIVE_INFINITY;
        reported = replaced ?? fault;
      }
    }
    if (!this.#faulty) onFault(reported);
    this.#faulty = true;
  }

  #open(): Promise<Store> {
    this.#opening ??= this.#options.open();
    return this.#opening;
  }

  /** Closes a store, which the next call reopens. One that is still opening is closed once it is open. */
  async #drop(opening: Promise<Store> | undefined): Promise<void> {
    if (this.#opening === opening) this.#opening = undefined;
    await opening?.then((store) => store.disconnect()).catch(() => undefined);
  }
}
