import { rmSync } from 'node:fs';
import path from 'node:path';
import { StorageError, type StorageFault } from '../errors/storage-error.js';
import type { Clock } from '../runtime/clock.js';
import { nativeModuleFault } from '../runtime/missing-module.js';
import { sqliteFault } from '../sqlite/sqlite-fault.js';
import type { AnswersTable } from './answers-table.js';
import type { CacheEntry } from './cache-entry.js';

/** Milliseconds the file is left aside after a fault. */
const retryAfterMs = 30_000;

const reasons: Readonly<Record<Exclude<StorageFault, 'uninstalled'>, string>> = {
  full: 'Its disk is full; free some space.',
  unwritable: 'It cannot be opened for writing; check the permissions of the data directory.',
  locked: 'Another program keeps it locked.',
  damaged: 'It is damaged or is not a cache; “extract cache clear” begins a new one.',
  unreadable: 'Its disk failed; check the disk.',
  exhausted: 'This machine ran out of file descriptors or memory.',
  failed: 'It failed.',
};

/** The port's error for a cache file that cannot be used. */
function cacheFault(cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  const fault = sqliteFault(cause);
  const reason = fault === 'uninstalled' ? nativeModuleFault(cause) : reasons[fault];
  return new StorageError(fault, `The cache file is left aside for now. ${reason}`, { cause });
}

function removeFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

export interface SqliteTierOptions {
  readonly file: string;
  /** File of an earlier release, which is removed. */
  readonly replaces?: string | undefined;
  readonly clock: Clock;
  /** Called when the file cannot be used, and null when it can be written to again. */
  readonly onFault: (fault: StorageError | null) => void;
}

/**
 * The disk tier: a table in a file, loaded and opened at its first use. A file that cannot be used is a miss:
 * `onFault` is called once until it works again, and the file is tried again after half a minute.
 */
export class SqliteTier {
  readonly #file: string;
  readonly #replaces: string | undefined;
  readonly #clock: Clock;
  readonly #onFault: (fault: StorageError | null) => void;
  readonly #running = new Set<Promise<unknown>>();
  #opening: Promise<AnswersTable> | undefined;
  #unusedUntil = Number.NEGATIVE_INFINITY;
  #faulty = false;
  #closed = false;

  constructor({ file, replaces, clock, onFault }: SqliteTierOptions) {
    this.#file = path.resolve(file);
    this.#replaces = replaces;
    this.#clock = clock;
    this.#onFault = onFault;
  }

  get(key: string): Promise<CacheEntry | undefined> {
    return this.#attempt((table) => table.get(key));
  }

  async set(key: string, entry: CacheEntry): Promise<void> {
    await this.#attempt(async (table) => {
      await table.set(key, entry, this.#clock.now());
      // That something can be read says little: a full disk still is.
      this.#works();
    });
  }

  /** Empties the file; a damaged one is replaced. Rejects `internal_error` when the entries are still there. */
  async clear(): Promise<void> {
    await this.#idle();
    const opening = this.#open();
    try {
      await (await opening).clear();
      this.#works();
    } catch (cause) {
      await this.#drop(opening);
      const fault = cacheFault(cause);
      if (fault.fault !== 'damaged') throw fault;
      removeFile(this.#file);
    }
    this.#unusedUntil = Number.NEGATIVE_INFINITY;
  }

  /** Lets what is under way come to its end, and lets go of the file. */
  async close(): Promise<void> {
    await this.#idle();
    this.#closed = true;
    await this.#drop(this.#opening);
  }

  async #attempt<T>(work: (table: AnswersTable) => Promise<T>): Promise<T | undefined> {
    if (this.#closed || this.#clock.now() < this.#unusedUntil) return undefined;
    const opening = this.#open();
    const run = opening.then(work);
    this.#running.add(run);
    try {
      return await run;
    } catch (cause) {
      if (this.#closed) return undefined;
      this.#unusedUntil = this.#clock.now() + retryAfterMs;
      await this.#drop(opening);
      if (!this.#faulty) this.#onFault(cacheFault(cause));
      this.#faulty = true;
      return undefined;
    } finally {
      this.#running.delete(run);
    }
  }

  #works(): void {
    if (this.#faulty) this.#onFault(null);
    this.#faulty = false;
  }

  #open(): Promise<AnswersTable> {
    this.#opening ??= this.#openTable();
    return this.#opening;
  }

  async #openTable(): Promise<AnswersTable> {
    const { AnswersTable } = await import('./answers-table.js');
    const table = await AnswersTable.open(this.#file, this.#clock);
    try {
      if (this.#replaces !== undefined) removeFile(this.#replaces);
    } catch {
      // It takes up space and nothing else.
    }
    return table;
  }

  async #idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Lets go of a connection, whatever state it is in; the next call opens another. */
  async #drop(opening: Promise<AnswersTable> | undefined): Promise<void> {
    if (this.#opening === opening) this.#opening = undefined;
    await opening?.then((table) => table.close()).catch(() => undefined);
  }
}
