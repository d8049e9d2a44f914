import { ExtractError } from '../../errors/extract-error.js';
import type { Database } from '../database.js';
import type { Queries } from '../queries.js';
import { sqliteDialect } from './dialect.js';
import type * as driver from './driver.js';
import type { GroupCommit } from './group-commit.js';
import { openForLooking } from './inspect-sqlite.js';
import { queriesOn } from './sqlite-queries.js';

/** A file of SQLite as stores have it: one connection writes, in groups, and another one reads. */
export class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly isRemote = false;
  readonly #file: string;
  readonly #writes: Pick<GroupCommit, 'run'>;
  readonly #fault: (cause: unknown) => Error;
  readonly #writer: Queries;
  #reader: Promise<{ readonly db: driver.Database; readonly queries: Queries }> | undefined;

  /** `fault`: the error of the catalogue for what SQLite threw. */
  constructor(db: driver.Database, writes: Pick<GroupCommit, 'run'>, fault: (cause: unknown) => Error) {
    this.#file = db.name;
    this.#writes = writes;
    this.#fault = fault;
    this.#writer = queriesOn(db);
  }

  async read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    try {
      // A connection of its own, for which a transaction between two of its statements is not there yet.
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
      const db = await openForLooking(this.#file);
      return { db, queries: queriesOn(db) };
    } catch (cause) {
      // The file may be opened again a moment later: a process had no descriptors left, say.
      this.#reader = undefined;
      throw cause;
    }
  }

  /** Closes the connection that reads; nothing is read afterwards. */
  async close(): Promise<void> {
    this.#reader ??= Promise.reject(new ExtractError('internal_error', 'The database is closed.'));
    const reader = await this.#reader.catch(() => undefined);
    reader?.db.close();
  }
}
