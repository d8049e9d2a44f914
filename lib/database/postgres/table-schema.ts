import type { Queries } from '../queries.js';
import type { SchemaImport, TableSchema } from '../table-schema.js';
import { postgresDialect } from './dialect.js';

/** The tables that a module keeps in a database; its SQL names no others. */
export interface PostgresSchema {
  readonly name: string;
  /**
   * SQL that makes the tables, step by step. A database has run the first so many; steps are only ever added. Each runs in a
   * transaction, beside servers of the version before: what they write must still be possible after it.
   */
  readonly steps: readonly string[];
  /** The rows that `extract database import` moves; left out where there are none. */
  readonly imports?: SchemaImport;
}

/** Tables of a library, which makes and migrates them itself and records how far they are. */
export interface LibrarySchema {
  readonly name: string;
  /** How far they must be for the library that is installed. */
  readonly wanted: number;
  /** How far they are; 0 where there are none. */
  version(queries: Queries): Promise<number>;
  /** Brings them to `wanted`, beside servers at work. */
  migrate(queries: Queries): Promise<void>;
}

/** Tables of a module, by its own steps or by its library. */
export type AnySchema = PostgresSchema | LibrarySchema;

/** The tables of a module in the words of PostgreSQL. */
export function postgresSchema({ name, tables, steps = [], imports }: TableSchema): PostgresSchema {
  const { types } = postgresDialect;
  return {
    name,
    steps: [tables(types, postgresDialect), ...steps.map((step) => step(types))],
    ...(imports !== undefined && { imports }),
  };
}
