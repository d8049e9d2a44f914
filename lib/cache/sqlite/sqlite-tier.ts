import { renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type FaultReasons, sqliteError } from '../../database/sqlite/sqlite-fault.js';
import { StorageError } from '../../errors/storage-error.js';
import { type Clock, elapsed } from '../../runtime/clock.js';
import type { OnCacheFault } from '../cache.js';
import { CarefulStore } from '../careful-store.js';
import { type CacheTier, tierOver } from '../tier.js';
import type { AnswersTable } from './answers-table.js';

const reasons: FaultReasons = {
  full: 'the disk is full; free some space.',
  unwritable: 'answers.db cannot be opened for writing; check the permissions of the data directory.',
  locked: 'another program keeps answers.db locked.',
  damaged:
    'answers.db is damaged or is not a cache, and cannot be moved; check the permissions of the data directory.',
  unreadable: 'the disk failed; check the disk.',
  exhausted: 'this machine ran out of file descriptors or memory.',
};

const cacheFault = (cause: unknown) =>
  cause instanceof StorageError
    ? cause
    : sqliteError(cause, 'answers.db', reasons, (reason) => `Caching is off for now: ${reason}`);

const suffixes = ['', '-wal', '-shm'];

/** Milliseconds for which a measurement of free disk space is reused. */
const measureMs = 1_000;
/** The share of the disk that answers leave free, and its maximum in bytes. */
const [freeShare, maxFree] = [0.1, 512 * 1024 * 1024];

/** Returns the disk space left for answers; negative if they have taken too much. */
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

/** Moves a damaged file aside, replacing the previous one. Returns the error that reports this; null if that fails. */
function putAside(file: string, inode: number | undefined, cause: unknown): StorageError | null {
  const aside = `${file}.damaged`;
  try {
    // Another process may have moved it already, so this file is new.
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
  /** The file of an earlier release, which is removed. */
  readonly replaces?: string | undefined;
  readonly diskBytes?: number | undefined;
  readonly clock: Clock;
  /** Called when the file cannot be used, and with null once it is writable again. */
  readonly onFault: OnCacheFault;
}

/**
 * The disk tier: a table in a file, loaded and opened on first use. An unusable file counts as a miss: `onFault` is
 * called once until it works again, and it is retried after half a minute. A damaged file is moved aside and replaced.
 */
export function sqliteTier({
  file,
  replaces,
  diskBytes: bytes = Number.POSITIVE_INFINITY,
  clock,
  onFault,
}: SqliteTierOptions): CacheTier {
  const resolved = path.resolve(file);
  /** Distinguishes the open file from a replacement by another process. */
  let inode: number | undefined;
  let measured = { at: Number.NEGATIVE_INFINITY, spare: 0 };
  /** Returns the free bytes beyond those reserved for the books, measured once a second. */
  const spare = () => {
    const now = elapsed(clock);
    if (now - measured.at >= measureMs) measured = { at: now, spare: spareBytes(resolved) };
    return measured.spare;
  };
  const store = new CarefulStore<AnswersTable>({
    ...{ clock, onFault },
    async open() {
      const { openAnswersTable } = await import('./answers-table.js');
      inode = undefined;
      const table = await openAnswersTable(resolved, clock, () => ({ bytes, spare: spare() }));
      inode = inodeOf(resolved);
      try {
        if (replaces !== undefined) removeFile(replaces);
      } catch {
        // A leftover file takes space but does no harm.
      }
      return table;
    },
    faultOf: cacheFault,
    mend: (table, { fault }) => (fault === 'full' ? table.truncateLog() : undefined),
    replace: (error) => (error.fault === 'damaged' ? putAside(resolved, inode, error.cause) : null),
    remove({ fault }) {
      if (fault !== 'damaged') return false;
      removeFile(resolved);
      return true;
    },
  });
  return tierOver(store, clock);
}
