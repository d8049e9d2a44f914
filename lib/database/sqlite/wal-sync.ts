import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Database } from './driver.js';
import { LogMover } from './wal-pages.js';

/**
 * Pages of the write-ahead log before they are moved into the file. The move blocks the event loop: 11 ms for 2000
 * pages, 43 ms for 8000 (measured 2026-11). In a server, a thread moves them earlier.
 */
const checkpointPages = 8000;

/**
 * A transaction of at least this many pages is never synced on the event loop: the disk takes 10 ms or more for several
 * megabytes.
 */
const largePages = 64;

/**
 * A disk whose syncs average at most this many milliseconds is synced on the event loop. The round trip to the thread
 * pool takes 0.3 ms with a busy event loop, the sync itself 0.1 ms (measured 2026-11).
 */
const worthWaiting = 0.75;
/**
 * The maximum that one sync contributes to the average, in milliseconds: a single slow sync says little about a disk,
 * ten say enough.
 */
const longest = 2;
/** Weight of the latest sync in the average. */
const weight = 0.03;

/** Writes committed data to the disk: in the thread pool, unless the disk is faster than the round trip. */
export interface WalSync {
  /**
   * Prepares the log for another transaction, while none is open: moves it into the file if it is long or a sync has
   * failed. Throws if the move is necessary and fails.
   */
  ready(): void;
  /**
   * Resolves when everything committed before the call is on the disk; rejects if the disk refused it. Only one sync
   * runs at a time, and calls made meanwhile share the next one. It runs in the thread pool if all of their callers can
   * wait.
   */
  sync(hasTime?: boolean): Promise<void>;
  /** Closes the log. */
  close(): void;
}

/** The disk operations of a sync. */
export interface Disk {
  /** Syncs the open file of that descriptor. */
  sync(file: number): void;
  /** The same in the thread pool. */
  syncAside(file: number): Promise<void>;
  /** Milliseconds. */
  now(): number;
}

const realDisk: Disk = {
  sync: fdatasyncSync,
  syncAside: promisify(fdatasync),
  now: () => performance.now(),
};

/**
 * Makes commits of a database in WAL mode without blocking the process. SQLite writes the log without waiting for the
 * disk (`synchronous = NORMAL`), and the file stays consistent whatever happens. A sync of the log, which delays the
 * result of the commit, does the waiting. Together they give the guarantee of `synchronous = FULL`.
 */
export function walSync(db: Database, disk: Disk = realDisk): WalSync {
  db.pragma('synchronous = NORMAL');
  const mover = new LogMover(db, checkpointPages);
  // The log exists from the first write on, as long as a connection is open.
  let log: number | undefined;
  let underWay: Promise<unknown> | undefined;
  let next: Promise<void> | undefined;
  /** True if a caller that shares the next sync cannot wait. */
  let isUrgent = false;
  /** A failed sync may lose part of the log, which hides everything written after it. */
  let gap: unknown;
  let average = 0;

  const bringToDisk = async (urgent: boolean) => {
    if (gap !== undefined) throw gap;
    log ??= openSync(`${db.name}-wal`, 'r+');
    const isLarge = mover.grown() > largePages;
    const began = disk.now();
    try {
      if (urgent && average <= worthWaiting && !isLarge) disk.sync(log);
      else await disk.syncAside(log);
    } catch (cause) {
      gap = cause;
      throw cause;
    }
    // A sync that runs concurrently with other work says little about the disk.
    if (urgent && !isLarge) average += weight * (Math.min(disk.now() - began, longest) - average);
  };
  const begin = async (before: Promise<unknown> | undefined) => {
    await before?.catch(() => undefined);
    underWay = next;
    next = undefined;
    const urgent = isUrgent;
    isUrgent = false;
    await bringToDisk(urgent);
  };
  /** Moves everything into the file, which then needs no log. */
  const mend = () => {
    const [checkpoint] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    if (checkpoint.busy !== 0)
      throw Object.assign(new Error('The log is in use and has a gap.'), { code: 'EIO' });
    gap = undefined;
  };
  return {
    ready() {
      if (gap !== undefined) mend();
      else if (mover.isDue()) mover.move();
    },
    sync(hasTime = false) {
      if (!hasTime) isUrgent = true;
      next ??= begin(underWay);
      return next;
    },
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
