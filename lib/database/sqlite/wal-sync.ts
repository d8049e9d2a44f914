import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Database } from './driver.js';
import { LogMover } from './wal-pages.js';

/**
 * Pages of the write-ahead log before they are moved into the file. The move holds the event loop: 11 ms for 2000
 * pages, 43 ms for 8000 (measured 2026-11). In a server a thread moves them earlier.
 */
const checkpointPages = 8000;

/** Pages of one transaction whose sync is never waited for: the disk takes 10 ms and more for some megabytes. */
const largePages = 64;

/**
 * A disk that needs no more milliseconds than this for a sync, on average, is waited for. The way to the thread pool and
 * back takes 0.3 beside a busy event loop, where the sync takes 0.1 (measured 2026-11).
 */
const worthWaiting = 0.75;
/** Milliseconds that a sync counts for at most: one long sync says little of a disk, and ten say enough. */
const longest = 2;
/** Weight of the last sync in the average. */
const weight = 0.03;

/** Brings what is committed to the disk; beside the event loop, unless the disk is faster than the way there. */
export interface WalSync {
  /**
   * Readies the log for another transaction, while none is open: moves it into the file where it is long, or where a
   * sync failed. Throws where it has to be moved and cannot be.
   */
  ready(): void;
  /**
   * Resolves when all that was committed before the call is on the disk, and rejects when the disk did not take it.
   * One sync is under way at a time, and all that are asked for meanwhile share the next. It goes to the thread pool where
   * all of them have time.
   */
  sync(hasTime?: boolean): Promise<void>;
  /** Lets go of the log. */
  close(): void;
}

/** The parts of a sync. */
export interface Disk {
  /** Brings the open file of that descriptor to the disk. */
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
 * Commits of a database in WAL mode that do not hold up the process. SQLite writes the log without waiting for the disk
 * (`synchronous = NORMAL`), and the file stays whole whatever happens. A sync of the log, which holds what is told of the
 * commit, does the waiting. Together they promise what `synchronous = FULL` does.
 */
export function walSync(db: Database, disk: Disk = realDisk): WalSync {
  db.pragma('synchronous = NORMAL');
  const mover = new LogMover(db, checkpointPages);
  // The log is there from the first write on, and stays as long as a connection is open.
  let log: number | undefined;
  let underWay: Promise<unknown> | undefined;
  let next: Promise<void> | undefined;
  /** Whether somebody who shares the next one has no time. */
  let isUrgent = false;
  /** A failed sync may lose a part of the log, which hides all that is written behind it. */
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
    // One beside other work says little of the disk.
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
  /** Everything goes into the file, which needs no log then. */
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
