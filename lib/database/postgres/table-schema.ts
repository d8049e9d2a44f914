import type { Queries } from '../queries.js';
import type { SchemaSql } from '../schema-sql.js';
import type { TableSchema } from '../table-schema.js';
import { postgresDialect } from './dialect.js';

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
export type AnySchema = SchemaSql | LibrarySchema;

/** The tables of a module in the words of PostgreSQL. */
export function postgresSchema({ name, tables, steps = [], imports }: TableSchema): SchemaSql {
  const { types } = postgresDialect;
  return {
    ...{ name, imports },
    tables: tables(types, postgresDialect),
    steps: steps.map((step) => step(types, postgresDialect)),
  };
}
