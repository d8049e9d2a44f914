import { ExtractError } from '../../errors/extract-error.js';
import { type FileStorageFault, StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import type { SchemaSql } from '../schema-sql.js';
import type { Database } from './driver.js';
import { nativeModuleFault } from './driver.js';
import { whenUnlocked } from './lock-wait.js';
import { migrateSchema } from './migration.js';
import { sqliteFault } from './sqlite-fault.js';
import { openSqliteFile } from './sqlite-file.js';

const advice: Readonly<Record<Exclude<FileStorageFault, 'uninstalled'>, string>> = {
  full: 'The disk that holds the data directory is full. Free some space and run the command again.',
  unwritable:
    'The state file of the data directory cannot be opened for writing. Check its permissions, or name another directory with EXTRACT_HOME.',
  locked:
    'Another program keeps the state file of the data directory locked. Close it and run the command again.',
  damaged:
    'The state file (state.db) of the data directory is damaged. Move it away: what was remembered is then given again.',
  unreadable:
    'The disk failed while the state file was read or written. Check the disk and run the command again.',
  exhausted: 'This process may open no further files. Raise the limit (ulimit -n) and run the command again.',
  failed: 'The state file of the data directory failed.',
};

function stateFileError(cause: unknown): ExtractError {
  if (cause instanceof ExtractError) return cause;
  const fault = sqliteFault(cause);
  const message = fault === 'uninstalled' ? nativeModuleFault(cause) : advice[fault];
  return new StorageError(fault, message, { cause });
}

/**
 * The file in which commands store state between runs, next to the ledger and without money in it. Every method rejects
 * with a `StorageError` of this file.
 */
export class StateFile {
  readonly db: Database;
  readonly #clock: Clock;

  private constructor(db: Database, clock: Clock) {
    this.db = db;
    this.#clock = clock;
  }

  /** Opens the file, and creates it and its tables if they do not exist. */
  static async open(file: string, clock: Clock, schemas: readonly SchemaSql[]): Promise<StateFile> {
    try {
      const db = await openSqliteFile(file);
      try {
        await whenUnlocked(clock, () => {
          db.pragma('journal_mode = WAL');
          db.pragma('synchronous = FULL');
          db.transaction(() => {
            db.exec(
              'CREATE TABLE IF NOT EXISTS schema_versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID',
            );
            for (const schema of schemas) migrateSchema(db, schema);
          }).immediate();
        });
      } catch (cause) {
        db.close();
        throw cause;
      }
      return new StateFile(db, clock);
    } catch (cause) {
      throw stateFileError(cause);
    }
  }

  /** Runs a read. */
  async read<T>(work: () => T): Promise<T> {
    try {
      return await whenUnlocked(this.#clock, work);
    } catch (cause) {
      throw stateFileError(cause);
    }
  }

  /** Runs a write as one transaction; resolves when it is on the disk. */
  async write<T>(work: () => T): Promise<T> {
    try {
      const transaction = this.db.transaction(work);
      return await whenUnlocked(this.#clock, () => transaction.immediate());
    } catch (cause) {
      throw stateFileError(cause);
    }
  }

  async close(): Promise<void> {
    this.db.close();
  }
}
