import type { Dialect } from './dialect.js';
import type { Queries } from './queries.js';

/**
 * A database: an SQLite file or a PostgreSQL server. Stores are written once over it. Each method rejects with errors
 * of the catalogue, with a `StorageError` if the database cannot be used, and with whatever `work` throws. `work` may
 * run again after a conflict or a lost connection, so it must do nothing but query, through the queries it receives.
 */
export interface Database {
  readonly dialect: Dialect;
  /** True if each statement crosses a network. */
  readonly isRemote: boolean;
  /** Reads outside a transaction: each statement sees what is committed when it runs. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs work of a single statement, which commits immediately. Resolves once it is on disk. */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Runs work in a transaction (read committed). Resolves once it is on disk; if the work throws, nothing is written.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}
