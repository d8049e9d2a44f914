import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { SchemaSql } from '../../database/schema-sql.js';
import type { Database } from '../../database/sqlite/driver.js';
import { whenUnlocked } from '../../database/sqlite/lock-wait.js';
import { openSqliteFile } from '../../database/sqlite/sqlite-file.js';
import { StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import { firstPack, migrate } from './migrate-ledger.js';

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Throws if the ledger's file is empty or missing while its write-ahead log holds entries: SQLite would treat that as a
 * new file and delete the log. (A file that is being created has no log yet, because its first page is written first.)
 */
function refuseLogWithoutFile(file: string): void {
  const log = `${file}-wal`;
  if (sizeOf(file) > 0 || sizeOf(log) === 0) return;
  throw new StorageError(
    'damaged',
    `The credit ledger ${file} is empty or missing, but its log ${path.basename(log)} has entries. Restore a backup of both, or move both away to start a new ledger.`,
  );
}

/** Returns where results of jobs are stored next to a ledger; undefined for none. */
function resultsFileOf(file: string): string | undefined {
  const home = path.dirname(file);
  const database = path.join(home, 'results.db');
  if (sizeOf(database) > 0) return database;
  const folder = path.join(home, 'jobs');
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const names = isFolder ? readdirSync(folder) : [];
  return names.some((name) => name.endsWith('.ndjson')) ? folder : undefined;
}

/**
 * Throws if the ledger's file is empty or missing next to results of jobs: a new ledger would lack their accounts, keys
 * and credits. (While a file is being created, no job has run yet.)
 */
function refuseNewLedger(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  const results = size === undefined || size === 0 ? resultsFileOf(file) : undefined;
  if (results === undefined) return;
  throw new StorageError(
    'damaged',
    `The credit ledger ${file} is ${size === 0 ? 'empty' : 'missing'}, but ${results} has results of its jobs. Restore a backup, or move both away to start a new ledger.`,
  );
}

/** Returns true if the folder is writable or can be created. */
function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch (cause) {
    const parent = path.dirname(folder);
    return (cause as NodeJS.ErrnoException).code === 'ENOENT' && parent !== folder && isUsable(parent);
  }
}

/** Returns the credits of a new ledger. Null if its file or log exists, or if it cannot be created. */
export function initialBalance(file: string): number | null {
  const absolutePath = path.resolve(file);
  const isNew = !existsSync(absolutePath) && !existsSync(`${absolutePath}-wal`);
  return isNew && isUsable(path.dirname(absolutePath)) ? firstPack.credits : null;
}

/** Opens the ledger's file. Creates it and its tables if they do not exist. */
export async function openDatabase(
  file: string,
  clock: Clock,
  schemas: readonly SchemaSql[] = [],
): Promise<Database> {
  refuseLogWithoutFile(file);
  refuseNewLedger(file);
  const db = await openSqliteFile(file);
  try {
    await whenUnlocked(clock, async () => {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      // KiB. Rows written together are read together, so a larger cache would only make the process larger.
      db.pragma('cache_size = -4000');
      await migrate(db, clock.now(), schemas);
    });
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}
