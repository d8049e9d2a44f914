import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../runtime/make-folder.js';
import { type Database, loadDriver } from './driver.js';
import { busyTimeout } from './lock-wait.js';

/** Opens an SQLite file. Creates it and its directory, readable only by their owner, if they do not exist. */
export async function openSqliteFile(file: string): Promise<Database> {
  const Sqlite = await loadDriver();
  makeFolder(path.dirname(file));
  // SQLite would create the file with the umask's mode. Its -wal and -shm files inherit the mode of the file.
  closeSync(openSync(file, 'a', 0o600));
  return new Sqlite(file, { timeout: busyTimeout });
}
