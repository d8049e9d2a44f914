import type { KeyvStorageAdapter } from 'keyv';
import type { StorageError } from '../errors/storage-error.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import { withTimeout } from '../runtime/with-timeout.js';
import type { OnCacheFault } from './cache.js';

/** Milliseconds for which the store is not used after a fault. */
const retryAfterMs = 30_000;

/** An operation took too long. */
export class CacheTimeout extends Error {}

/** The methods of a Keyv adapter that the cache uses. Each rejects if the store cannot be used. */
export type AnswerStore = Pick<KeyvStorageAdapter, 'get' | 'set' | 'clear'> &
  Required<Pick<KeyvStorageAdapter, 'disconnect'>>;

export interface CarefulStoreOptions<Store extends AnswerStore> {
  /** Loads the store's code and opens it, with a timeout of its own. A rejection counts as a fault. */
  open(): Promise<Store>;
  /** Converts an error of the store to the port's error. */
  faultOf(cause: unknown): StorageError;
  /** Maximum milliseconds of an operation once the store is open. Default: no limit. */
  readonly timeoutMs?: number;
  /** Repairs a store that failed, before it is closed. */
  mend?(store: Store, fault: StorageError): void;
  /**
   * Replaces a store that failed, after it was closed. Returns the error that reports this; null if the store is left
   * unused instead.
   */
  replace?(fault: StorageError): StorageError | null;
  /** Removes a store that could not be emptied, after it was closed. Returns false if it still exists. */
  remove?(fault: StorageError): boolean;
  readonly clock: Clock;
  /** Called with the first fault, and with null when the store is writable again. */
  readonly onFault: OnCacheFault;
}

/**
 * A Keyv store whose failures never fail a call. It is opened on first use. After a fault it is closed, `onFault` is
 * called once, and for half a minute every read is a miss.
 */
export class CarefulStore<Store extends AnswerStore = AnswerStore> {
  /** Keyv then passes the expiry time of an entry instead of its lifetime. */
  readonly capabilities = { expires: true } as const;
  readonly #options: CarefulStoreOptions<Store>;
  #opening: Promise<Store> | undefined;
  #unusedUntil = Number.NEGATIVE_INFINITY;
  #faulty = false;
  #closed = false;

  constructor(options: CarefulStoreOptions<Store>) {
    this.#options = options;
  }

  /** Returns the text stored under a key, expired or not; undefined if the store cannot be used. */
  get(key: string) {
    return this.#attempt((store) => store.get<string>(key));
  }

  async set(key: string, value: unknown, expires?: number): Promise<boolean> {
    const isSet = await this.#attempt((store) => store.set(key, value, expires));
    // A read proves little, because a full disk can still be read.
    if (isSet === true) this.#markWorking();
    return isSet ?? false;
  }

  /** Empties the store, even while it is not used after a fault. Rejects with the port's error. */
  async clear(): Promise<void> {
    const opening = this.#open();
    try {
      await (await opening).clear();
    } catch (cause) {
      const { faultOf, remove } = this.#options;
      const fault = faultOf(cause);
      const dropped = this.#drop(opening);
      // Only a file must be closed before it is removed. A remote store may take its time.
      if (remove === undefined) throw fault;
      await dropped;
      if (!remove(fault)) throw fault;
    }
    this.#markWorking();
    this.#unusedUntil = Number.NEGATIVE_INFINITY;
  }

  /** Closes the store. */
  async disconnect(): Promise<void> {
    this.#closed = true;
    await this.#drop(this.#opening);
  }

  /** Runs an operation of the store; undefined if it fails or the store is not in use. */
  async #attempt<T>(work: (store: Store) => Promise<T>): Promise<T | undefined> {
    const { clock, timeoutMs } = this.#options;
    if (this.#closed || elapsed(clock) < this.#unusedUntil) return undefined;
    const opening = this.#open();
    const late = () => new CacheTimeout('The store did not answer in time.');
    try {
      const done = work(await opening);
      return await (timeoutMs === undefined ? done : withTimeout(done, timeoutMs, clock, late));
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
    // A second failure of the same store finds it closed already.
    if (this.#opening === opening) {
      this.#unusedUntil = elapsed(clock) + retryAfterMs;
      if (mend !== undefined) await opening.then((store) => mend(store, fault)).catch(() => undefined);
      const dropped = this.#drop(opening);
      if (replace !== undefined) {
        await dropped;
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

  /** Closes a store, which the next call reopens. A store that is still opening is closed once it is open. */
  async #drop(opening: Promise<Store> | undefined): Promise<void> {
    if (this.#opening === opening) this.#opening = undefined;
    await opening?.then((store) => store.disconnect()).catch(() => undefined);
  }
}
