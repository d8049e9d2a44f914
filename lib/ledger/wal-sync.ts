import { closeSync, fdatasync, openSync } from 'node:fs';
import type { Database } from 'better-sqlite3';

/** Pages of the write-ahead log before they are moved into the file: a move is waited for, so it is a rare one. */
const checkpointPages = 8000;

/** Brings what is committed to the disk, beside the event loop. */
export interface WalSync {
  sync(): Promise<void>;
  close(): void;
}

/**
 * Commits of a database in WAL mode that do not hold up the process: SQLite writes the log without waiting for the
 * disk (`synchronous = NORMAL`: whatever happens, the file stays whole), and `sync` does the waiting (the log is
 * what a commit is in). Together they promise what `synchronous = FULL` does.
 */
export function walSync(db: Database): WalSync {
  db.pragma('synchronous = NORMAL');
  db.pragma(`wal_autocheckpoint = ${checkpointPages}`);
  // The log is there from the first write on, and stays as long as a connection is open.
  let log: number | undefined;
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        log ??= openSync(`${db.name}-wal`, 'r+');
        fdatasync(log, (error) => (error ? reject(error) : resolve()));
      }),
    close() {
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
