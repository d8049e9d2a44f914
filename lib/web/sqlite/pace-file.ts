import { rmSync } from 'node:fs';
import path from 'node:path';
import pLimit from 'p-limit';
import type { Database } from '../../database/database.js';
import type { Queries } from '../../database/queries.js';
import { sqliteDialect } from '../../database/sqlite/dialect.js';
import { type Database as Driver, nativeModuleFault } from '../../database/sqlite/driver.js';
import { whenUnlocked } from '../../database/sqlite/lock-wait.js';
import { sqliteSchema } from '../../database/sqlite/migration.js';
import { sqliteFault } from '../../database/sqlite/sqlite-fault.js';
import { openSqliteFile } from '../../database/sqlite/sqlite-file.js';
import { queriesOn } from '../../database/sqlite/sqlite-queries.js';
import { causeText, type FileStorageFault, StorageError } from '../../errors/storage-error.js';
import type { Clock } from '../../runtime/clock.js';
import { fileIdentity } from '../../runtime/file-identity.js';
import { DatabasePaceStore } from '../database-pace-store.js';
import { paceSchema } from '../pace-schema.js';
import type { PaceStore } from '../pace-store.js';

/** Milliseconds to wait for another process that writes. */
const lockTimeout = 1000;

/** Columns missing from the files of earlier releases. */
const laterColumns = ['causes', 'error_routes'];

const reasons: Readonly<Record<Exclude<FileStorageFault, 'uninstalled' | 'failed'>, string>> = {
  full: 'Its disk is full; free some space.',
  unwritable: 'It cannot be opened for writing; check the permissions of the data directory.',
  locked: 'Another program keeps it locked.',
  damaged: 'It is damaged. Remove it: a new one is created.',
  unreadable: 'Its disk failed; check the disk.',
  exhausted: 'This machine ran out of file descriptors or memory.',
};

function paceFault(cause: unknown, file: string): StorageError {
  const fault = sqliteFault(cause);
  const reason =
    fault === 'uninstalled'
      ? nativeModuleFault(cause)
      : fault === 'failed'
        ? `The cause: ${causeText(cause)}.`
        : reasons[fault];
  return new StorageError(fault, `The pace of other processes cannot be read from ${file}. ${reason}`, {
    cause,
  });
}

function makeTables(db: Driver): void {
  db.exec(sqliteSchema(paceSchema).tables);
  const columns = db.pragma('table_info(pace)') as readonly { readonly name: string }[];
  for (const column of laterColumns) {
    if (columns.some(({ name }) => name === column)) continue;
    db.exec(`ALTER TABLE pace ADD COLUMN ${column} TEXT NOT NULL DEFAULT '[]'`);
  }
}

interface OpenFile {
  readonly db: Driver;
  readonly queries: Queries;
  readonly identity: string | undefined;
}

/**
 * An SQLite file separate from the ledger, which syncs to disk with each commit. A pace lost in a power cut would
 * have expired before the machine is back; a killed process loses nothing. A damaged file is replaced.
 */
class PaceFile implements Database {
  readonly dialect = sqliteDialect;
  readonly isRemote = false;
  readonly #file: string;
  readonly #clock: Clock;
  /** One operation at a time, because there is one connection and a transaction spans several ticks. */
  readonly #queue = pLimit(1);
  #opening: Promise<OpenFile> | undefined;

  constructor(home: string, clock: Clock) {
    this.#file = path.resolve(home, 'pace.db');
    this.#clock = clock;
  }

  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#run(({ queries }) => work(queries));
  }

  write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#run(({ queries }) => work(queries));
  }

  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#run(async ({ db, queries }) => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const value = await work(queries);
        db.exec('COMMIT');
        return value;
      } catch (cause) {
        if (db.inTransaction) db.exec('ROLLBACK');
        throw cause;
      }
    });
  }

  close(): Promise<void> {
    return this.#queue(async () => {
      const file = await this.#opening?.catch(() => undefined);
      file?.db.close();
    });
  }

  /** Runs one operation; if the file is damaged, again on a new one. */
  #run<T>(operation: (file: OpenFile) => Promise<T>): Promise<T> {
    return this.#queue(async () => {
      try {
        return await this.#attempt(operation).catch((cause: unknown) => {
          if (sqliteFault(cause) !== 'damaged') throw cause;
          return this.#attempt(operation);
        });
      } catch (cause) {
        throw paceFault(cause, this.#file);
      }
    });
  }

  async #attempt<T>(operation: (file: OpenFile) => Promise<T>): Promise<T> {
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      const file = await opening;
      return await whenUnlocked(this.#clock, () => operation(file), lockTimeout);
    } catch (cause) {
      const fault = sqliteFault(cause);
      if (fault !== 'locked') await this.#drop(opening, fault === 'damaged');
      throw cause;
    }
  }

  async #open(): Promise<OpenFile> {
    const db = await openSqliteFile(this.#file);
    const identity = fileIdentity(this.#file);
    try {
      return await whenUnlocked(
        this.#clock,
        () => {
          // Every command opens and closes the file; a write-ahead log would cost twice as much as the journal.
          db.pragma('journal_mode = PERSIST');
          db.pragma('synchronous = OFF');
          makeTables(db);
          return { db, queries: queriesOn(db), identity };
        },
        lockTimeout,
      );
    } catch (cause) {
      db.close();
      if (sqliteFault(cause) === 'damaged') this.#remove(identity);
      throw cause;
    }
  }

  /** Closes the file; the next operation reopens it. */
  async #drop(opening: Promise<OpenFile>, damaged: boolean): Promise<void> {
    this.#opening = undefined;
    const file = await opening.catch(() => undefined);
    file?.db.close();
    if (damaged && file !== undefined) this.#remove(file.identity);
  }

  /** Removes the damaged file, unless another process has already replaced it. */
  #remove(identity: string | undefined): void {
    if (identity !== fileIdentity(this.#file)) return;
    for (const suffix of ['', '-journal']) rmSync(this.#file + suffix, { force: true });
  }
}

/** Creates the pace store shared by the processes of a data directory. Its file is opened on first use. */
export function paceInFile(home: string, clock: Clock): PaceStore {
  const file = new PaceFile(home, clock);
  return new DatabasePaceStore(file, { clock, close: () => file.close() });
}
