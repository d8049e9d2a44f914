import type { StorageError } from '../errors/storage-error.js';
import { type Clock, elapsed } from '../runtime/clock.js';
import type { OnCacheFault } from './cache-tier.js';

/** Milliseconds the store is left aside after a fault. */
const retryAfterMs = 30_000;

export interface TierConnectionOptions<Store> {
  /** Opens the store; what it rejects with is a fault like any other. */
  open(): Promise<Store>;
  /** Lets go of the store, whatever state it is in. */
  close(store: Store): Promise<void> | void;
  /** The port's error for what the store threw. */
  faultOf(cause: unknown): StorageError;
  /** Mends a store that failed, before it is let go of. */
  mend?(store: Store, fault: StorageError): void;
  /** Replaces a store that failed, once it is let go of. Gives the error that tells of it; null where it is left aside. */
  replace?(fault: StorageError): StorageError | null;
  readonly clock: Clock;
  /** Gets the first fault, and null when the store can be written to again. */
  readonly onFault: OnCacheFault;
}

/**
 * The connection of a cache tier to a store that may fail. It opens the store at its first use. After a fault it lets
 * go of the store and tells `onFault` once. It leaves the store aside for half a minute, when all is a miss.
 */
export class TierConnection<Store> {
  readonly #options: TierConnectionOptions<Store>;
  readonly #running = new Set<Promise<unknown>>();
  #opening: Promise<Store> | undefined;
  #unusedUntil = Number.NEGATIVE_INFINITY;
  #faulty = false;
  #closed = false;

  constructor(options: TierConnectionOptions<Store>) {
    this.#options = options;
  }

  /** Does something with the store; undefined where it fails, or is left aside. */
  async attempt<T>(work: (store: Store) => Promise<T>): Promise<T | undefined> {
    if (this.#closed || elapsed(this.#options.clock) < this.#unusedUntil) return undefined;
    const opening = this.#open();
    const run = opening.then(work);
    this.#running.add(run);
    try {
      return await run;
    } catch (cause) {
      await this.#fail(opening, cause);
      return undefined;
    } finally {
      this.#running.delete(run);
    }
  }

  /** Empties the store, left aside or not, when what is under way has ended. Rejects with the port's error. */
  async clear(work: (store: Store) => Promise<void>): Promise<void> {
    await this.idle();
    const opening = this.#open();
    try {
      await work(await opening);
    } catch (cause) {
      const dropped = this.#drop(opening);
      // Only a file must be let go of before it is replaced; a store far away may take its time.
      if (this.#options.replace !== undefined) await dropped;
      throw this.#options.faultOf(cause);
    }
    this.markWorking();
    this.resume();
  }

  /** To be called when something was written. A read proves little: a full disk can still be read. */
  markWorking(): void {
    if (this.#faulty) this.#options.onFault(null);
    this.#faulty = false;
  }

  /** Ends the time for which the store is left aside. */
  resume(): void {
    this.#unusedUntil = Number.NEGATIVE_INFINITY;
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Lets what is under way come to its end, and lets go of the store. */
  async close(): Promise<void> {
    await this.idle();
    this.#closed = true;
    await this.#drop(this.#opening);
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
        if (replaced !== null) this.resume();
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
    await opening?.then((store) => this.#options.close(store)).catch(() => undefined);
  }
}
