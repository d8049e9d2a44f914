import type { Database } from 'better-sqlite3';
import type { Clock } from '../clock.js';
import { whenUnlocked } from '../lock-patience.js';
import { openSqliteFile } from '../sqlite-file.js';
import type { Part } from './parts.js';
import { migrate } from './schema.js';

/** Opens the ledger's file, and makes it and its tables when they are not there. */
export async function openDatabase(
  file: string,
  clock: Clock,
  parts: readonly Part[] = [],
): Promise<Database> {
  const db = await openSqliteFile(file);
  try {
    await whenUnlocked(clock, () => {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      // KiB. What is written next to each other is read next to each other: more only grows the process.
      db.pragma('cache_size = -4000');
      migrate(db, clock.now(), parts);
    });
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}
