import type { Database } from './driver.js';

/** Overwrites the bytes of deleted rows from now on, and does not only give them free. */
export function overwriteDeleted(db: Database): void {
  db.pragma('secure_delete = ON');
}

/**
 * Writes the file without what was deleted before, and empties its log. False where another program uses it: then free
 * pages, and the log until that program moves it, may hold what was deleted.
 */
export function wipeFreeSpace(db: Database): boolean {
  try {
    db.exec('VACUUM');
    const [row] = db.pragma('wal_checkpoint(TRUNCATE)') as readonly { readonly busy: number }[];
    return row?.busy !== 1;
  } catch (cause) {
    if ((cause as { code?: string }).code?.startsWith('SQLITE_BUSY') === true) return false;
    throw cause;
  }
}
