import type { ColumnTypes, Dialect } from './dialect.js';

/** A table whose rows come from a data directory. The table there has the same name and the same columns. */
export interface ImportedTable {
  readonly table: string;
  /** The condition of the rows that are imported, as SQL of a data directory; left out for all. */
  readonly where?: string;
}

/** How the tables of a data directory become those of a module. */
export interface SchemaImport {
  /** In their order: what others refer to comes first. */
  readonly tables: readonly ImportedTable[];
  /** SQL that writes what follows from their rows, after they are there. */
  readonly derive?: string;
}

/** How a data directory of the first release (0.1.0) gets the tables. */
interface DirectoryVersions {
  /** Version of the tables before the first step. */
  readonly version: number;
  /** Version of the tables in 0.1.0. */
  readonly released: number;
  /** SQL that brings those of 0.1.0 to `version`. */
  readonly upgrade: (types: ColumnTypes, dialect: Dialect) => string;
}

/** The tables that a module keeps, written once for both dialects; its SQL names no others. */
export interface TableSchema {
  readonly name: string;
  /** SQL that makes the tables as they are now, for a new database. */
  tables(types: ColumnTypes, dialect: Dialect): string;
  /**
   * SQL that changes the tables of earlier releases, step by step: an added column stands in `tables` and in a step. Steps
   * are only ever added. A step must let servers of the version before go on beside it.
   */
  readonly steps?: readonly ((types: ColumnTypes, dialect: Dialect) => string)[];
  /** Left out where 0.1.0 had no such tables, and nothing was counted since. */
  readonly directory?: DirectoryVersions;
  /** The tables that `extract database import` copies; left out for none. */
  readonly imports?: SchemaImport;
}
