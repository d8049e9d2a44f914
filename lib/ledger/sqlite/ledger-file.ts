import type { Database } from 'better-sqlite3';
import type { Clock } from '../../runtime/clock.js';
import { whenUnlocked } from '../../sqlite/lock-wait.js';
import { openSqliteFile } from '../../sqlite/sqlite-file.js';
import { migrate } from './ledger-schema.js';
import type { TableSchema } from './migration.js';

/** Opens the ledger's file, and makes it and its tables when they are not there. */
export async function openDatabase(
  file: string,
  clock: Clock,
  schemas: readonly TableSchema[] = [],
): Promise<Database> {
  const db = await openSqliteFile(file);
  try {
    await whenUnlocked(clock, () => {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      // KiB. What is written next to each other is read next to each other: more only grows the process.
      db.pragma('cache_size = -4000');
      migrate(db, clock.now(), schemas);
    });
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}
