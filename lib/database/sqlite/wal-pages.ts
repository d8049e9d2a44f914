import { statfsSync } from 'node:fs';
import path from 'node:path';
import type { Database } from './driver.js';

const pageBytes = 4096;
/** Part of the free space that a write-ahead log may take, and pages that it may take in any case. */
const share = 1 / 20;
const minPages = 250;

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // A file system that does not tell: the most is taken.
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Bounds the write-ahead log of an open file to `most` pages, and to fewer on a small disk. At that size the log is
 * moved into the file. It is cut where one large transaction made it longer.
 */
export function boundLog(db: Database, most: number): void {
  const pages = fitting(db, most);
  db.pragma(`wal_autocheckpoint = ${pages}`);
  db.pragma(`journal_size_limit = ${pages * pageBytes}`);
}

/** The pages of a log of at most `most`: fewer on a small disk. */
function fitting(db: Database, most: number): number {
  const free = freeBytes(path.dirname(db.name));
  return Math.min(most, Math.max(minPages, Math.floor((free * share) / pageBytes)));
}

/** Commits move the log by themselves only where it is so many times as long as it should be. */
const neglected = 4;
/** Times as long as it should be a log may be without being cut. */
const spare = 2;

/** Pages of the log, and of those the ones that are in the file. */
interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}

/** Bounds the log as `boundLog` does, for an owner that moves it beside the commits, which hold their callers. */
export class LogMover {
  readonly #db: Database;
  readonly #pages: number;
  readonly #look;
  #state: LogState = { log: 0, checkpointed: 0 };

  constructor(db: Database, most: number) {
    this.#db = db;
    this.#pages = fitting(db, most);
    db.pragma(`wal_autocheckpoint = ${this.#pages * neglected}`);
    // Not cut each time: the sync of a file that grows again waits for the journal of the file system, which others share.
    db.pragma(`journal_size_limit = ${this.#pages * pageBytes * spare}`);
    this.#look = db.prepare<[], LogState>('PRAGMA wal_checkpoint(NOOP)');
  }

  /** Looks how long the log is, and gives the pages that it grew by since the last look. */
  grown(): number {
    const before = this.#state.log;
    try {
      this.#state = this.#look.get() ?? this.#state;
    } catch {
      // A transaction is open, or the file is locked: the next look tells.
    }
    const { log } = this.#state;
    // A log that is shorter began anew.
    return log < before ? log : log - before;
  }

  /** Whether the log is so long that it should be moved into the file. */
  isDue(): boolean {
    if (!this.#isLong) return false;
    // Another connection may have moved it since.
    this.grown();
    return this.#isLong;
  }

  get #isLong(): boolean {
    return this.#state.log - this.#state.checkpointed >= this.#pages;
  }

  /** Moves the log into the file, as far as its readers let it. A fault shows in the next commit, or the next sync. */
  move(): void {
    try {
      this.#db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // Everything stays in the log.
    }
  }
}

/** Moves the log into the file and gives its space back. False where that is not possible now. */
export function truncateLog(db: Database): boolean {
  try {
    const [checkpoint] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    return checkpoint.busy === 0;
  } catch {
    return false;
  }
}
