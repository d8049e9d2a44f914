import { ExtractError } from '../../errors/extract-error.js';
import type { Database } from '../database.js';
import type { Queries } from '../queries.js';
import { sqliteDialect } from './dialect.js';
import type * as driver from './driver.js';
import type { GroupCommit } from './group-commit.js';
import { openForInspection } from './inspect-sqlite.js';
import { queriesOn } from './sqlite-queries.js';

/** An SQLite file as a `Database`: one connection writes, in groups, and another reads. */
export class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly isRemote = false;
  readonly #file: string;
  readonly #writes: Pick<GroupCommit, 'run'>;
  readonly #fault: (cause: unknown) => Error;
  readonly #writer: Queries;
  #reader: Promise<{ readonly db: driver.Database; readonly queries: Queries }> | undefined;

  /** `fault` converts an SQLite error to one of the catalogue. */
  constructor(db: driver.Database, writes: Pick<GroupCommit, 'run'>, fault: (cause: unknown) => Error) {
    this.#file = db.name;
    this.#writes = writes;
    this.#fault = fault;
    this.#writer = queriesOn(db);
  }

  async read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    try {
      // A separate connection does not see a transaction that is open between two statements.
      this.#reader ??= this.#openReader();
      return await work((await this.#reader).queries);
    } catch (cause) {
      throw this.#fault(cause);
    }
  }

  write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.transaction(work);
  }

  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.#writes.run(() => work(this.#writer));
  }

  async #openReader() {
    try {
      const db = await openForInspection(this.#file);
      return { db, queries: queriesOn(db) };
    } catch (cause) {
      // A later attempt may succeed, for example if the process had run out of descriptors.
      this.#reader = undefined;
      throw cause;
    }
  }

  /** Closes the reading connection for good. */
  async close(): Promise<void> {
    this.#reader ??= Promise.reject(new ExtractError('internal_error', 'The database is closed.'));
    const reader = await this.#reader.catch(() => undefined);
    reader?.db.close();
  }
}
