import type { ColumnTypes, Dialect } from './dialect.js';

/** A table whose rows come from a data directory, where it has the same name and columns. */
export interface ImportedTable {
  readonly table: string;
  /** SQL condition of the imported rows; by default all. */
  readonly where?: string;
}

/** How a data directory's tables become a module's. */
export interface SchemaImport {
  /** In order: referenced tables come first. */
  readonly tables: readonly ImportedTable[];
  /** SQL that derives further data once the rows are copied. */
  readonly derive?: string;
}

/** How a data directory of the first release (0.1.0) gets the tables. */
interface DirectoryVersions {
  /** Version of the tables before the first step. */
  readonly version: number;
  /** Version of the tables in 0.1.0. */
  readonly released: number;
  /** SQL that migrates the tables of 0.1.0 to `version`. */
  readonly upgrade: (types: ColumnTypes, dialect: Dialect) => string;
}

/** A module's tables, written once for both dialects. Its SQL uses no others. */
export interface TableSchema {
  readonly name: string;
  /** SQL that creates the current tables. */
  tables(types: ColumnTypes, dialect: Dialect): string;
  /**
   * SQL that changes the tables of earlier releases, step by step: an added column appears in `tables` and in a step.
   * Steps are only ever added. Servers of the previous version must be able to continue while a step runs.
   */
  readonly steps?: readonly ((types: ColumnTypes, dialect: Dialect) => string)[];
  /** Undefined if 0.1.0 had no such tables and no versions were counted since. */
  readonly directory?: DirectoryVersions;
  /** The tables that `extract server database import` copies; optional. */
  readonly imports?: SchemaImport;
}
