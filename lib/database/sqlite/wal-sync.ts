import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Database } from './driver.js';
import { LogMover } from './wal-pages.js';

/**
 * Pages of the write-ahead log before they are moved into the file. The move holds the event loop: 11 ms for 2000
 * pages, 43 ms for 8000 (measured 2026-11). Rarer moves made no payment faster.
 */
const checkpointPages = 2000;

/** Brings what is committed to the disk, in the thread pool: beside the event loop, and beside the next transaction. */
export interface WalSync {
  /**
   * Readies the log for another transaction, while none is open: moves it into the file where it is long, or where a
   * sync failed. Throws where it has to be moved and cannot be.
   */
  ready(): void;
  /**
   * Resolves when all that was committed before the call is on the disk, and rejects when the disk did not take it.
   * One sync is under way at a time, and all that are asked for meanwhile share the next.
   */
  sync(): Promise<void>;
  /** Lets go of the log. */
  close(): void;
}

/** Brings the open file of a descriptor to the disk. */
export type SyncFile = (descriptor: number) => Promise<void>;

/**
 * Commits of a database in WAL mode that do not hold up the process. SQLite writes the log without waiting for the disk
 * (`synchronous = NORMAL`), and the file stays whole whatever happens. A sync of the log, which holds what is told of the
 * commit, does the waiting. Together they promise what `synchronous = FULL` does.
 */
export function walSync(db: Database, syncFile: SyncFile = promisify(fdatasync)): WalSync {
  db.pragma('synchronous = NORMAL');
  const mover = new LogMover(db, checkpointPages);
  // The log is there from the first write on, and stays as long as a connection is open.
  let log: number | undefined;
  let underWay: Promise<unknown> | undefined;
  let next: Promise<void> | undefined;
  /** A failed sync may lose a part of the log, which hides all that is written behind it. */
  let gap: unknown;

  const bringToDisk = async () => {
    if (gap !== undefined) throw gap;
    log ??= openSync(`${db.name}-wal`, 'r+');
    try {
      await syncFile(log);
    } catch (cause) {
      gap = cause;
      throw cause;
    }
  };
  const begin = async (before: Promise<unknown> | undefined) => {
    await before?.catch(() => undefined);
    underWay = next;
    next = undefined;
    await bringToDisk();
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
    sync() {
      next ??= begin(underWay);
      return next;
    },
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
