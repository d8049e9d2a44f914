import { renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { nativeModuleFault } from '../../database/sqlite/driver.js';
import { sqliteFault } from '../../database/sqlite/sqlite-fault.js';
import { causeText, type FileStorageFault, StorageError } from '../../errors/storage-error.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import type { CacheEntry } from '../cache-entry.js';
import type { CacheTier, OnCacheFault } from '../cache-tier.js';
import { TierConnection } from '../tier-connection.js';
import type { AnswersTable } from './answers-table.js';

const reasons: Readonly<Record<Exclude<FileStorageFault, 'uninstalled' | 'failed'>, string>> = {
  full: 'the disk is full; free some space.',
  unwritable: 'answers.db cannot be opened for writing; check the permissions of the data directory.',
  locked: 'another program keeps answers.db locked.',
  damaged:
    'answers.db is damaged or is not a cache, and cannot be moved; check the permissions of the data directory.',
  unreadable: 'the disk failed; check the disk.',
  exhausted: 'this machine ran out of file descriptors or memory.',
};

/** The port's error for a cache file that cannot be used. */
function cacheFault(cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause;
  const fault = sqliteFault(cause);
  const reason =
    fault === 'uninstalled'
      ? nativeModuleFault(cause)
      : fault === 'failed'
        ? `answers.db: ${causeText(cause)}.`
        : reasons[fault];
  return new StorageError(fault, `Caching is off for now: ${reason}`, { cause });
}

const suffixes = ['', '-wal', '-shm'];

/** Milliseconds for which the free space of the disk is taken to stay what it is. */
const measureMs = 1_000;
/** Part of the disk that answers leave free, and the most that they leave. */
const [freeShare, maxFree] = [0.1, 512 * 1024 * 1024];

/** The disk space that is left for answers; below zero where they have taken too much. */
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
  readonly #diskBytes: number;
  readonly #clock: Clock;
  readonly #connection: TierConnection<AnswersTable>;
  #measured = { at: Number.NEGATIVE_INFINITY, spare: 0 };

  constructor({ file, replaces, diskBytes, clock, onFault }: SqliteTierOptions) {
    this.#diskBytes = diskBytes ?? Number.POSITIVE_INFINITY;
    this.#file = path.resolve(file);
    this.#clock = clock;
    /** The identity of the open file, which tells it from one that another process has put in its place. */
    let inode: number | undefined;
    this.#connection = new TierConnection({
      ...{ clock, onFault },
      open: async () => {
        const { AnswersTable } = await import('./answers-table.js');
        inode = undefined;
        const table = await AnswersTable.open(this.#file, clock);
        inode = inodeOf(this.#file);
        try {
          if (replaces !== undefined) removeFile(replaces);
        } catch {
          // It takes up space and nothing else.
        }
        return table;
      },
      close: (table) => table.close(),
      faultOf: cacheFault,
      mend: (table, { fault }) => (fault === 'full' ? table.truncateLog() : undefined),
      replace: (error) => (error.fault === 'damaged' ? putAside(this.#file, inode, error.cause) : null),
    });
  }

  get(key: string): Promise<CacheEntry | undefined> {
    return this.#connection.attempt((table) => table.get(key));
  }

  async set(key: string, entry: CacheEntry): Promise<void> {
    await this.#connection.attempt(async (table) => {
      await table.set(key, entry, this.#clock.now(), { bytes: this.#diskBytes, spare: this.#spare() });
      this.#connection.markWorking();
    });
  }

  /** Empties the file; a damaged one is replaced. Rejects `internal_error` when the entries are still there. */
  async clear(): Promise<void> {
    try {
      await this.#connection.clear((table) => table.clear());
    } catch (cause) {
      if (!(cause instanceof StorageError) || cause.fault !== 'damaged') throw cause;
      removeFile(this.#file);
      this.#connection.resume();
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Bytes of the disk that are free beyond those that stay free for the books; looked up once a second. */
  #spare(): number {
    const now = elapsed(this.#clock);
    if (now - this.#measured.at >= measureMs) this.#measured = { at: now, spare: spareBytes(this.#file) };
    return this.#measured.spare;
  }
}
