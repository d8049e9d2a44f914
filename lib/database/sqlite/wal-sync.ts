import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Database } from './driver.js';
import { createLogMover } from './wal-pages.js';

/**
 * Pages of the log before a checkpoint, which blocks the event loop: 11 ms for 2000 pages, 43 ms for 8000 (measured
 * 2026-11). In a server, a thread checkpoints earlier.
 */
const checkpointPages = 8000;

/**
 * A transaction of at least this many pages is never synced on the event loop: several megabytes take 10 ms or more.
 */
const largePages = 64;

/**
 * A disk whose syncs average at most this many milliseconds is synced on the event loop. The round trip to the thread
 * pool takes 0.3 ms with a busy event loop, the sync itself 0.1 ms (measured 2026-11).
 */
const worthWaiting = 0.75;
/**
 * The maximum that one sync adds to the average, in milliseconds: one slow sync says little about a disk, ten say
 * enough.
 */
const longest = 2;
/** Weight of the latest sync in the average. */
const weight = 0.03;

/** Syncs committed data: in the thread pool, unless the disk is faster than the round trip. */
export interface WalSync {
  /**
   * Prepares the log for a transaction, while none is open: checkpoints it if it is long or a sync has failed. Throws
   * if a necessary checkpoint fails.
   */
  ready(): void;
  /**
   * Resolves once everything committed before the call is on disk; rejects if the disk refused it. One sync runs at a
   * time; calls made meanwhile share the next one. It runs in the thread pool if all their callers can wait.
   */
  sync(hasTime?: boolean): Promise<void>;
  close(): void;
}

/** The disk operations of a sync. */
export interface Disk {
  /** Syncs an open file by its descriptor. */
  sync(file: number): void;
  /** The same in the thread pool. */
  syncAside(file: number): Promise<void>;
  now(): number;
}

const realDisk: Disk = {
  sync: fdatasyncSync,
  syncAside: promisify(fdatasync),
  now: () => performance.now(),
};

/**
 * Makes commits of a database in WAL mode without blocking the process. SQLite writes the log without waiting for the
 * disk (`synchronous = NORMAL`), and the file stays consistent whatever happens. A sync of the log then delays the
 * result of the commit. Together they give the guarantee of `synchronous = FULL`.
 */
export function walSync(db: Database, disk: Disk = realDisk): WalSync {
  db.pragma('synchronous = NORMAL');
  const mover = createLogMover(db, checkpointPages);
  // The log exists from the first write on, as long as a connection is open.
  let log: number | undefined;
  let running: Promise<unknown> | undefined;
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
    // A sync concurrent with other work says little about the disk.
    if (urgent && !isLarge) average += weight * (Math.min(disk.now() - began, longest) - average);
  };
  const begin = async (before: Promise<unknown> | undefined) => {
    await before?.catch(() => undefined);
    running = next;
    next = undefined;
    const urgent = isUrgent;
    isUrgent = false;
    await bringToDisk(urgent);
  };
  /** Checkpoints everything, after which the file needs no log. */
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
      next ??= begin(running);
      return next;
    },
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
