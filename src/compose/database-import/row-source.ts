export type SourceValue = string | number | null | Buffer;

export interface SourceRows {
  readonly columns: readonly string[];
  readonly batches: Iterable<readonly (readonly SourceValue[])[]>;
}

/** Supplies the rows for the tables of a database. */
export interface RowSource {
  /** Names of the tables that have rows. */
  readonly filled: readonly string[];
  rows(table: string, where: string | undefined): SourceRows;
}

export interface MovedTable {
  readonly table: string;
  readonly rows: number;
}
