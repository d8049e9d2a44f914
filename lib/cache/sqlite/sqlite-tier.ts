import { renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type FileStorageFault, StorageError } from '../../errors/storage-error.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import { nativeModuleFault } from '../../sqlite/driver.js';
import { sqliteFault } from '../../sqlite/sqlite-fault.js';
import type { CacheEntry } from '../cache-entry.js';
import type { CacheTier, OnCacheFault } from '../cache-tier.js';
import type { AnswersTable } from './answers-table.js';

/** Milliseconds the file is left aside after a fault. */
const retryAfterMs = 30_000;

const reasons: Readonly<Record<Exclude<FileStorageFault, 'uninstalled'>, string>> = {
  full: 'Its disk is full; free some space.',
  unwritable: 'It cannot be opened for writing; check the permissions of the data directory.',
  locked: 'Another program keeps it locked.',
  damaged:
    'It is damaged or is not a cache, and cannot be moved; check the permissions of the data directory.',
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

const suffixes = ['', '-wal', '-shm'];

/** Milliseconds for which the free space of the disk is taken to stay what it is. */
const measureMs = 1_000;
/** Part of the disk that answers leave free, and the most that they leave. */
const [freeShare, maxFree] = [0.1, 512 * 1024 * 1024];

/** What answers may still take of the disk; below zero where they have taken too much. */
function spareBytes(file: string): number {
  try {
    const { bavail, blocks, bsize } = statfsSync(path.dirname(file));
    return bavail * bsize - Math.min(maxFree, blocks * bsize * freeShare);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino;

function removeFile(file: string): void {
  for (const suffix of suffixes) rmSync(file + suffix, { force: true });
}

/** Moves a damaged file out of the way, in place of the last one. Gives the error that tells of it; null where it cannot be moved. */
function putAside(file: string, inode: number | undefined, cause: unknown): StorageError | null {
  const aside = `${file}.damaged`;
  try {
    // Another process may have put it aside already: the file there now is new.
    if (inode !== undefined && inode !== inodeOf(file)) return null;
    removeFile(aside);
    renameSync(file, aside);
    for (const suffix of suffixes.slice(1)) rmSync(file + suffix, { force: true });
  } catch {
    return null;
  }
  const message = `The cache file was damaged or not a cache: it was renamed to ${path.basename(aside)}, and a new one was created. Delete the renamed file when you no longer need it.`;
  return new StorageError('damaged', message, { cause });
}

export interface SqliteTierOptions {
  readonly file: string;
  /** File of an earlier release, which is removed. */
  readonly replaces?: string | undefined;
  /** Bytes that the entries may take. */
  readonly diskBytes?: number | undefined;
  readonly clock: Clock;
  /** Called when the file cannot be used, and null when it can be written to again. */
  readonly onFault: OnCacheFault;
}

/**
 * The disk tier: a table in a file, loaded and opened at its first use. An unusable file is a miss. `onFault` is called
 * once until it works again, and the next try follows after half a minute. A damaged one is put aside, and a new one
 * begun.
 */
export class SqliteTier implements CacheTier {
  readonly #file: string;
  readonly #replaces: string | undefined;
  readonly #diskBytes: number;
  readonly #clock: Clock;
  readonly #onFault: OnCacheFault;
  readonly #running = new Set<Promise<unknown>>();
  #opening: Promise<AnswersTable> | undefined;
  /** Of the open file, by which it is told from one that another process has put in its place. */
  #inode: number | undefined;
  #measured = { at: Number.NEGATIVE_INFINITY, spare: 0 };
  #unusedUntil = Number.NEGATIVE_INFINITY;
  #faulty = false;
  #closed = false;

  constructor({ file, replaces, diskBytes, clock, onFault }: SqliteTierOptions) {
    this.#diskBytes = diskBytes ?? Number.POSITIVE_INFINITY;
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
      await table.set(key, entry, this.#clock.now(), { bytes: this.#diskBytes, spare: this.#spare() });
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
    if (this.#closed || elapsed(this.#clock) < this.#unusedUntil) return undefined;
    const opening = this.#open();
    const run = opening.then(work);
    this.#running.add(run);
    try {
      return await run;
    } catch (cause) {
      if (this.#closed) return undefined;
      const isFirst = this.#opening === opening;
      const fault = cacheFault(cause);
      if (isFirst && fault.fault === 'full') (await opening.catch(() => undefined))?.truncateLog();
      await this.#drop(opening);
      const moved = isFirst && fault.fault === 'damaged' ? putAside(this.#file, this.#inode, cause) : null;
      // A new file can be used at once.
      if (moved === null && this.#opening === undefined)
        this.#unusedUntil = elapsed(this.#clock) + retryAfterMs;
      if (!this.#faulty) this.#onFault(moved ?? fault);
      this.#faulty = true;
      return undefined;
    } finally {
      this.#running.delete(run);
    }
  }

  /** Bytes of the disk that are free beyond those that stay free for the books; looked up once a second. */
  #spare(): number {
    const now = elapsed(this.#clock);
    if (now - this.#measured.at >= measureMs) this.#measured = { at: now, spare: spareBytes(this.#file) };
    return this.#measured.spare;
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
    this.#inode = undefined;
    const table = await AnswersTable.open(this.#file, this.#clock);
    this.#inode = inodeOf(this.#file);
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
