import type { Queries } from '../queries.js';
import type { SchemaSql } from '../schema-sql.js';
import type { TableSchema } from '../table-schema.js';
import { postgresDialect } from './dialect.js';

/** Tables of a library that creates and migrates them itself and records their version. */
export interface LibrarySchema {
  readonly name: string;
  /** The version that the installed library needs. */
  readonly expected: number;
  /** 0 if there are no tables. */
  version(queries: Queries): Promise<number>;
  /** Migrates the tables to `expected` while servers are running. */
  migrate(queries: Queries): Promise<void>;
}

/** Tables migrated by our steps or by their library. */
export type AnySchema = SchemaSql | LibrarySchema;

/** Returns the tables of a module as PostgreSQL statements. */
export function postgresSchema({ name, tables, steps = [], imports }: TableSchema): SchemaSql {
  const { types } = postgresDialect;
  return {
    ...{ name, imports },
    tables: tables(types, postgresDialect),
    steps: steps.map((step) => step(types, postgresDialect)),
  };
}
