import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Database } from './driver.js';
import { LogMover } from './wal-pages.js';

/**
 * Pages of the write-ahead log before they are moved into the file. The move holds the event loop: 11 ms for 2000
 * pages, 43 ms for 8000 (measured 2026-11). Rarer moves made no payment faster.
 */
const checkpointPages = 2000;

/**
 * A disk that needs no more milliseconds than this for a sync, on average, is waited for. Handing the sync to the
 * thread pool takes as long itself. Measured 2026-11 with 0.14 ms: a tenth of what a server answers.
 */
const worthWaiting = 0.5;
/**
 * Milliseconds for which no sync should hold the loop. A disk that is mostly fast has syncs of ten and forty while other
 * files are written to it (measured 2026-11): they made the p99 of a server's calls.
 */
const tooLong = 4;
/** Syncs that go to the pool after one that took too long, or once the average does: a slow disk is tried again so rarely. */
const syncsAside = 5000;
/** Weight of the last sync in the average. */
const weight = 0.03;

/** Brings what is committed to the disk; beside the event loop, unless the disk is faster than the way there. */
export interface WalSync {
  /** Resolves when it is done, and rejects when the disk did not take it. One at a time. */
  sync(): Promise<void>;
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
 * (`synchronous = NORMAL`), and the file stays whole whatever happens. A sync of the log, which holds the commit, does
 * the waiting. Together they promise what `synchronous = FULL` does.
 */
export function walSync(db: Database, disk: Disk = realDisk): WalSync {
  db.pragma('synchronous = NORMAL');
  const mover = new LogMover(db, checkpointPages);
  // The log is there from the first write on, and stays as long as a connection is open.
  let log: number | undefined;
  let aside = 0;
  let average = 0;
  let hasGap = false;

  const syncHere = (file: number) => {
    const began = disk.now();
    disk.sync(file);
    const took = disk.now() - began;
    average += weight * (took - average);
    if (took <= tooLong && average <= worthWaiting) return;
    aside = syncsAside;
    average = 0;
  };
  /**
   * A failed sync may lose a part of the log, which hides all that is written behind it. So everything goes into the
   * file instead.
   */
  const mend = () => {
    const [checkpoint] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    if (checkpoint.busy !== 0)
      throw Object.assign(new Error('The log is in use and has a gap.'), { code: 'EIO' });
    hasGap = false;
  };
  const bringToDisk = async (file: number) => {
    try {
      if (aside === 0) return syncHere(file);
      aside -= 1;
      await disk.syncAside(file);
    } catch (cause) {
      hasGap = true;
      throw cause;
    }
  };
  return {
    async sync() {
      if (hasGap) return mend();
      log ??= openSync(`${db.name}-wal`, 'r+');
      await bringToDisk(log);
      if (!mover.isDue()) return;
      // Not in the turn of the commit, which was a large one where the log grew by much.
      await setImmediate();
      mover.move();
    },
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
