/** A value as SQLite keeps it. */
export type SourceValue = string | number | null | Buffer;

/** Rows of a table, in the order of its columns. */
export interface SourceRows {
  readonly columns: readonly string[];
  /** All rows, some at a time. */
  readonly batches: Iterable<readonly (readonly SourceValue[])[]>;
}

/** The source of the rows that fill the tables of a database. */
export interface RowSource {
  /** Names of the tables that hold rows. */
  readonly filled: readonly string[];
  /** The rows of a table for which a condition holds. */
  rows(table: string, where: string | undefined): SourceRows;
}

/** How many rows of a table were moved. */
export interface MovedTable {
  readonly table: string;
  readonly rows: number;
}
