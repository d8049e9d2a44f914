import path from 'node:path';
import { freeBytes } from '../../runtime/free-bytes.js';
import type { Database } from './driver.js';

const pageBytes = 4096;
/** The share of free space that a write-ahead log may take, and the pages it may always take. */
const share = 1 / 20;
const minPages = 250;

/**
 * Limits the write-ahead log of an open file to `most` pages, fewer on a small disk. At that size it is checkpointed.
 * It is truncated if one large transaction made it longer.
 */
export function boundLog(db: Database, most: number): void {
  const pages = pageLimit(db, most);
  db.pragma(`wal_autocheckpoint = ${pages}`);
  db.pragma(`journal_size_limit = ${pages * pageBytes}`);
}

/** Returns the page limit of a log: `most`, or fewer on a small disk. */
function pageLimit(db: Database, most: number): number {
  const free = freeBytes(path.dirname(db.name));
  return Math.min(most, Math.max(minPages, Math.floor((free * share) / pageBytes)));
}

/** Commits checkpoint themselves only if the log exceeds its limit by this factor. */
const selfCheckpointFactor = 4;
/** The factor by which a log may exceed its limit without being truncated. */
const slackFactor = 2;

/** Pages of the log, and how many of them are in the file. */
interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}

/** Limits the log like `boundLog`, for an owner that checkpoints independently of commits, whose callers wait. */
export function createLogMover(db: Database, most: number) {
  let state: LogState = { log: 0, checkpointed: 0 };
  const pages = pageLimit(db, most);
  db.pragma(`wal_autocheckpoint = ${pages * selfCheckpointFactor}`);
  // Not truncated each time: syncing a file that grows again waits for the file system's journal, which others share.
  db.pragma(`journal_size_limit = ${pages * pageBytes * slackFactor}`);
  const readState = db.prepare<[], LogState>('PRAGMA wal_checkpoint(NOOP)');

  /** Returns the pages added since the last check. */
  function grown(): number {
    const before = state.log;
    try {
      state = readState.get() ?? state;
    } catch {
      // A transaction is open or the file is locked. The next check will tell.
    }
    const { log } = state;
    // A shorter log has been restarted.
    return log < before ? log : log - before;
  }

  /** Returns true if the log is long enough to be checkpointed. */
  function isDue(): boolean {
    if (!isLong()) return false;
    // Another connection may have checkpointed since.
    grown();
    return isLong();
  }

  const isLong = (): boolean => state.log - state.checkpointed >= pages;

  /** Checkpoints the log as far as its readers permit. An error shows in the next commit or sync. */
  function move(): void {
    try {
      db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // Everything stays in the log.
    }
  }

  return { grown, isDue, move };
}

/** Checkpoints the log and frees its space. Returns false if that is not possible now. */
export function truncateLog(db: Database): boolean {
  try {
    const [checkpoint] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    return checkpoint.busy === 0;
  } catch {
    return false;
  }
}
