import { existsSync } from 'node:fs';
import { ExtractError } from '../../errors/extract-error.js';
import type { Clock } from '../../runtime/clock.js';
import type { Database } from '../database.js';
import type { Queries } from '../queries.js';
import type { SchemaSql } from '../schema-sql.js';
import { sqliteDialect } from './dialect.js';
import type { Database as Driver } from './driver.js';
import { GroupCommit } from './group-commit.js';
import { whenUnlocked } from './lock-wait.js';
import { migrateSchema } from './migration.js';
import { SqliteDatabase } from './sqlite-database.js';
import { type FaultReasons, sqliteError } from './sqlite-fault.js';
import { openSqliteFile } from './sqlite-file.js';
import { truncateLog } from './wal-pages.js';
import { type WalSync, walSync } from './wal-sync.js';

export interface DatabaseFileOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly schemas: readonly SchemaSql[];
  /** Page size of a new file, in bytes. */
  readonly pageSize: number;
  /** How to repair a damaged file, for the operator. */
  readonly remedy: string;
}

interface OpenFile {
  readonly db: Driver;
  readonly disk: WalSync;
  readonly writes: GroupCommit;
  readonly database: SqliteDatabase;
}

const reasons: Omit<FaultReasons, 'damaged'> = {
  full: 'Its disk is full; free some space.',
  unwritable: 'It cannot be opened for writing; check the permissions of the data directory.',
  locked: 'Another program has locked it; close that program.',
  unreadable: 'Its disk failed; check the disk.',
  exhausted: 'This machine ran out of file descriptors or memory; a higher limit (ulimit -n) prevents it.',
};

/** A database in an SQLite file next to the ledger, opened on first use. */
export class DatabaseFile implements Database {
  readonly dialect = sqliteDialect;
  readonly isRemote = false;
  readonly #options: DatabaseFileOptions;
  #opened: Promise<OpenFile> | undefined;
  #isClosed = false;

  constructor(options: DatabaseFileOptions) {
    this.#options = options;
  }

  get file(): string {
    return this.#options.file;
  }

  get exists(): boolean {
    return existsSync(this.file);
  }

  async read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return (await this.#open()).database.read(work);
  }

  async write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return (await this.#open()).database.write(work);
  }

  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return (await this.#open()).database.transaction(work);
  }

  /** The driver's connection, for work on the file itself. */
  async driver(): Promise<Driver> {
    return (await this.#open()).db;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const parts = await this.#opened?.catch(() => undefined);
    await parts?.writes.idle();
    parts?.disk.close();
    await parts?.database.close();
    parts?.db.close();
  }

  #open(): Promise<OpenFile> {
    if (this.#isClosed) {
      return Promise.reject(new ExtractError('internal_error', `The file ${this.file} is closed.`));
    }
    this.#opened ??= this.#openFile().catch((cause: unknown) => {
      this.#opened = undefined;
      throw this.#fault(cause);
    });
    return this.#opened;
  }

  async #openFile(): Promise<OpenFile> {
    const { file, clock, schemas, pageSize } = this.#options;
    const fault = (cause: unknown) => this.#fault(cause);
    const db = await openSqliteFile(file);
    try {
      await whenUnlocked(clock, () => {
        // Only a new file accepts a page size.
        db.pragma(`page_size = ${pageSize}`);
        db.pragma('journal_mode = WAL');
        db.transaction(() => {
          db.exec(
            'CREATE TABLE IF NOT EXISTS schema_versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID',
          );
          for (const schema of schemas) migrateSchema(db, schema);
        }).immediate();
      });
      const disk = walSync(db);
      const writes = new GroupCommit(db, clock, {
        fault,
        ready: disk.ready,
        sync: disk.sync,
        onFull: () => truncateLog(db),
      });
      return { db, disk, writes, database: new SqliteDatabase(db, writes, fault) };
    } catch (cause) {
      db.close();
      throw cause;
    }
  }

  #fault(cause: unknown): ExtractError {
    if (cause instanceof ExtractError) return cause;
    const { file, remedy } = this.#options;
    const all = { ...reasons, damaged: `It is damaged. ${remedy}` };
    return sqliteError(cause, 'The cause', all, (reason, fault) =>
      fault === 'uninstalled' ? reason : `The file ${file} cannot be used. ${reason}`,
    );
  }
}
