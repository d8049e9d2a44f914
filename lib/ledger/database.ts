import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../clock.js';
import { busyTimeout, whenUnlocked } from './lock-patience.js';
import type { Part } from './parts.js';
import { migrate } from './schema.js';

/**
 * Opens the ledger's file, making it and its directory readable by their owner alone when they are not there.
 * SQLite is loaded here and not before: a command that never pays does not wait for it.
 */
export async function openDatabase(
  file: string,
  clock: Clock,
  parts: readonly Part[] = [],
): Promise<Database> {
  const { default: Sqlite } = await import('better-sqlite3');
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // SQLite would make the file with the umask's mode; its -wal and -shm files take over the mode of the file.
  closeSync(openSync(file, 'a', 0o600));
  const db = new Sqlite(file, { timeout: busyTimeout });
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
