import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { makeFolder } from '../runtime/make-folder.js';
import { busyTimeout } from './lock-wait.js';

/**
 * Opens an SQLite file, making it and its directory readable by their owner alone when they are not there.
 * SQLite is loaded here and not before: a command that needs no file does not wait for it.
 */
export async function openSqliteFile(file: string): Promise<Database> {
  const { default: Sqlite } = await import('better-sqlite3');
  makeFolder(path.dirname(file));
  // SQLite would make the file with the umask's mode; its -wal and -shm files take over the mode of the file.
  closeSync(openSync(file, 'a', 0o600));
  return new Sqlite(file, { timeout: busyTimeout });
}
