import type { Database } from './driver.js';

/** Overwrites the bytes of rows deleted from now on, instead of only freeing them. */
export function overwriteDeleted(db: Database): void {
  db.pragma('secure_delete = ON');
}

/**
 * Rewrites the file without previously deleted data, and empties its log. Returns false if another program has it open:
 * free pages, and the log until its next checkpoint, may still hold deleted data.
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
