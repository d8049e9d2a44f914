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
  const free = freeBytes(path.dirname(db.name));
  const pages = Math.min(most, Math.max(minPages, Math.floor((free * share) / pageBytes)));
  db.pragma(`wal_autocheckpoint = ${pages}`);
  db.pragma(`journal_size_limit = ${pages * pageBytes}`);
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
