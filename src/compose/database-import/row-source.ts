/** A value as SQLite stores it. */
export type SourceValue = string | number | null | Buffer;

/** Rows of a table, in column order. */
export interface SourceRows {
  readonly columns: readonly string[];
  /** All rows, in batches. */
  readonly batches: Iterable<readonly (readonly SourceValue[])[]>;
}

/** The source of the rows that fill the tables of a database. */
export interface RowSource {
  /** Names of the tables that have rows. */
  readonly filled: readonly string[];
  /** Returns the rows of a table that satisfy a condition. */
  rows(table: string, where: string | undefined): SourceRows;
}

/** The number of rows moved from a table. */
export interface MovedTable {
  readonly table: string;
  readonly rows: number;
}
