import type { Dialect } from './dialect.js';
import type { Queries } from './queries.js';

/**
 * The port of a database: a file of SQLite or a server of PostgreSQL. Stores are written once over it. Each method
 * rejects with errors of the catalogue, a `StorageError` where the database cannot be used, and with what `work` throws.
 * `work` may run again after a conflict or a lost connection, so it must only query, by the queries that it is given.
 */
export interface Database {
  readonly dialect: Dialect;
  /** True where each statement crosses a network. */
  readonly isRemote: boolean;
  /** Reads outside a transaction: each statement sees what is committed when it runs. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs work of one statement, which commits by itself. Resolves when it is on the disk. */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Runs work in a transaction: nobody sees a part of it, and each statement sees what is committed when it runs (read
   * committed). Resolves when it is on the disk; when the work throws, nothing of it is written.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}
