import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Database } from 'better-sqlite3';

/** Pages of the write-ahead log before they are moved into the file: a move is waited for, so it is a rare one. */
const checkpointPages = 8000;

/**
 * A disk that needs no more milliseconds than this for a sync, on average, is waited for: to hand the sync to another
 * thread and hear of its end takes as long itself (measured 2026-11 with 0.14 ms: a tenth of what a server answers).
 */
const worthWaiting = 0.5;
/** Syncs that go to another thread once the average is above that: a slow disk is tried again so rarely. */
const syncsAside = 1000;
/** One sync alone, however slow, does not make a slow disk: the weight of the last one, and the most it counts for. */
const weight = 0.1;
const mostCounted = 5 * worthWaiting;

/** Brings what is committed to the disk; beside the event loop, unless the disk is faster than the way there. */
export interface WalSync {
  sync(): Promise<void>;
  close(): void;
}

/**
 * Commits of a database in WAL mode that do not hold up the process: SQLite writes the log without waiting for the
 * disk (`synchronous = NORMAL`: whatever happens, the file stays whole), and `sync` does the waiting (the log is
 * what a commit is in). Together they promise what `synchronous = FULL` does. `stopwatch` tells milliseconds.
 */
export function walSync(db: Database, stopwatch: () => number = () => performance.now()): WalSync {
  db.pragma('synchronous = NORMAL');
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  // The log is there from the first write on, and stays as long as a connection is open.
  let log: number | undefined;
  let aside = 0;
  let average = 0;
  const here = (file: number) => {
    const began = stopwatch();
    fdatasyncSync(file);
    average += weight * (Math.min(stopwatch() - began, mostCounted) - average);
    if (average <= worthWaiting) return;
    aside = syncsAside;
    average = 0;
  };
  const there = (file: number) =>
    new Promise<void>((resolve, reject) => {
      fdatasync(file, (error) => (error ? reject(error) : resolve()));
    });
  return {
    async sync() {
      log ??= openSync(`${db.name}-wal`, 'r+');
      if (aside === 0) return here(log);
      aside -= 1;
      return there(log);
    },
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
