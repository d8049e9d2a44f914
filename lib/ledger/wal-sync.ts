import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Database } from 'better-sqlite3';
import { SyncThread } from './sync-thread.js';

/** Pages of the write-ahead log before they are moved into the file: a move is waited for, so it is a rare one. */
const checkpointPages = 8000;

/**
 * A disk that needs no more milliseconds than this for a sync, on average, is waited for: to hand the sync to the
 * thread pool and hear of its end takes as long itself (measured 2026-11 with 0.14 ms: a tenth of what a server answers).
 */
const worthWaiting = 0.5;
/** Syncs that go to the pool once the average is above that: a slow disk is tried again so rarely. */
const syncsAside = 1000;
/** Weight of the last sync in the average, and the most it counts for: those after a checkpoint make no slow disk. */
const weight = 0.03;
const mostCounted = 5 * worthWaiting;

/** So many who have something to do meanwhile are worth waking a thread: 40 µs against 3 of each (measured 2026-11). */
const crowd = 20;
/** Crowds after which there is such a thread, which takes some 10 MB: no short command sees so many. */
const crowdsBefore = 50;

/** Brings what is committed to the disk; beside the event loop, unless the disk is faster than the way there. */
export interface WalSync {
  /**
   * Begins with it, or gets ready to; what it gives waits until it is done, and throws or rejects when the disk did
   * not take it. One at a time. `others` tells how many have something to do in between.
   */
  begin(others: number): () => void | Promise<void>;
  close(): Promise<void>;
}

/** What a sync is made of. */
export interface Disk {
  /** Brings the open file of that descriptor to the disk. */
  sync(file: number): void;
  /** The same in the thread pool. */
  syncAside(file: number): Promise<void>;
  /** A thread for it, where one is of use. May throw where none is to be had. */
  thread(file: number): Pick<SyncThread, 'isReady' | 'begin' | 'close'> | undefined;
  /** Milliseconds. */
  now(): number;
}

const realDisk: Disk = {
  sync: fdatasyncSync,
  syncAside: promisify(fdatasync),
  // With one processor alone, each would only wait for the other to let go of it.
  thread: (file) => (availableParallelism() > 1 ? new SyncThread(file) : undefined),
  now: () => performance.now(),
};

/**
 * Commits of a database in WAL mode that do not hold up the process: SQLite writes the log without waiting for the
 * disk (`synchronous = NORMAL`: whatever happens, the file stays whole), and a sync does the waiting (the log is
 * what a commit is in). Together they promise what `synchronous = FULL` does.
 */
export function walSync(db: Database, disk: Disk = realDisk): WalSync {
  db.pragma('synchronous = NORMAL');
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  // The log is there from the first write on, and stays as long as a connection is open.
  let log: number | undefined;
  let thread: ReturnType<Disk['thread']>;
  let crowds = 0;
  let aside = 0;
  let average = 0;
  let hasGap = false;

  const timed = (wait: () => void | Promise<void>) => {
    const began = disk.now();
    const later = wait();
    average += weight * (Math.min(disk.now() - began, mostCounted) - average);
    if (average > worthWaiting) {
      aside = syncsAside;
      average = 0;
    }
    return later;
  };
  const begunThread = (file: number) => {
    try {
      return disk.thread(file);
    } catch {
      // The disk is waited for as before.
      return undefined;
    }
  };
  const inThread = (file: number) => {
    crowds += 1;
    if (crowds === crowdsBefore) thread = begunThread(file);
    return thread?.isReady === true ? thread.begin() : undefined;
  };
  const begun = (file: number, others: number): (() => void | Promise<void>) => {
    if (aside > 0) {
      aside -= 1;
      return () => disk.syncAside(file);
    }
    const wait = (others >= crowd ? inThread(file) : undefined) ?? (() => disk.sync(file));
    return () => timed(wait);
  };
  const failed = (cause: unknown): never => {
    hasGap = true;
    throw cause;
  };
  /** What a failed sync has lost of the log hides all that is written behind it: everything goes into the file instead. */
  const mend = () => {
    const [told] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    if (told.busy !== 0) throw Object.assign(new Error('The log is in use and has a gap.'), { code: 'EIO' });
    hasGap = false;
  };
  return {
    begin(others) {
      if (hasGap) return mend;
      log ??= openSync(`${db.name}-wal`, 'r+');
      const wait = begun(log, others);
      return () => {
        try {
          return wait()?.catch(failed);
        } catch (cause) {
          return failed(cause);
        }
      };
    },
    async close() {
      await thread?.close();
      thread = undefined;
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
