import type { KeyvStorageAdapter } from 'keyv';
import type { StorageError } from '../errors/storage-error.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import { withTimeout } from '../runtime/with-timeout.js';
import type { OnCacheFault } from './cache.js';

/** Milliseconds the store is left aside after a fault. */
const retryAfterMs = 30_000;

/** An operation took too long. */
export class CacheTimeout extends Error {}

/** What the cache asks of an adapter of Keyv. Each method rejects where the store cannot be used. */
export type AnswerStore = Pick<KeyvStorageAdapter, 'get' | 'set' | 'clear'> &
  Required<Pick<KeyvStorageAdapter, 'disconnect'>>;

export interface CarefulStoreOptions<Store extends AnswerStore> {
  /** Loads its code and opens it, within a time of its own. A rejection is a fault like any other. */
  open(): Promise<Store>;
  /** The port's error for what the store threw. */
  faultOf(cause: unknown): StorageError;
  /** Milliseconds that one operation may take, once the store is open; left out for any time. */
  readonly timeoutMs?: number;
  /** Mends a store that failed, before it is let go of. */
  mend?(store: Store, fault: StorageError): void;
  /** Replaces a store that failed, once it is let go of. Gives the error that tells of it; null where it is left aside. */
  replace?(fault: StorageError): StorageError | null;
  /** Removes a store that could not be emptied, once it is let go of. False where it is still there. */
  remove?(fault: StorageError): boolean;
  readonly clock: Clock;
  /** Gets the first fault, and null when the store can be written to again. */
  readonly onFault: OnCacheFault;
}

/**
 * A store of Keyv that may fail, and never fails a call. It opens the store at its first use. After a fault it lets go of
 * the store and tells `onFault` once. It leaves the store aside for half a minute, when all is a miss.
 */
export class CarefulStore<Store extends AnswerStore = AnswerStore> {
  /** Keyv hands it the end of an entry, and not its length. */
  readonly capabilities = { expires: true } as const;
  readonly #options: CarefulStoreOptions<Store>;
  #opening: Promise<Store> | undefined;
  #unusedUntil = Number.NEGATIVE_INFINITY;
  #faulty = false;
  #closed = false;

  constructor(options: CarefulStoreOptions<Store>) {
    this.#options = options;
  }

  /** The text under a key, expired or not; undefined where the store cannot be used. */
  get(key: string) {
    return this.#attempt((store) => store.get<string>(key));
  }

  async set(key: string, value: unknown, expires?: number): Promise<boolean> {
    const isSet = await this.#attempt((store) => store.set(key, value, expires));
    // A read proves little: a full disk can still be read.
    if (isSet === true) this.#markWorking();
    return isSet ?? false;
  }

  /** Empties the store, left aside or not. Rejects with the port's error. */
  async clear(): Promise<void> {
    const opening = this.#open();
    try {
      await (await opening).clear();
    } catch (cause) {
      const { faultOf, remove } = this.#options;
      const fault = faultOf(cause);
      const dropped = this.#drop(opening);
      // Only a file must be let go of before it is removed; a store far away may take its time.
      if (remove === undefined) throw fault;
      await dropped;
      if (!remove(fault)) throw fault;
    }
    this.#markWorking();
    this.#unusedUntil = Number.NEGATIVE_INFINITY;
  }

  /** Lets go of the store. */
  async disconnect(): Promise<void> {
    this.#closed = true;
    await this.#drop(this.#opening);
  }

  /** Does something with the store; undefined where it fails, or is left aside. */
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
    // A second failure at the same store finds it let go of already.
    if (this.#opening === opening) {
      this.#unusedUntil = elapsed(clock) + retryAfterMs;
      if (mend !== undefined) await opening.then((store) => mend(store, fault)).catch(() => undefined);
      const dropped = this.#drop(opening);
      if (replace !== undefined) {
        await dropped;
        const replaced = replace(fault);
        // A new one can be used at once.
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

  /** Lets go of a store; the next call opens it anew. One that is still being opened is let go of when it is there. */
  async #drop(opening: Promise<Store> | undefined): Promise<void> {
    if (this.#opening === opening) this.#opening = undefined;
    await opening?.then((store) => store.disconnect()).catch(() => undefined);
  }
}
