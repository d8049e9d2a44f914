/** The types of columns, and what ends a table, as a dialect writes them. */
export interface ColumnTypes {
  /** A text that is compared byte by byte: an id, an address, a name of ours. */
  readonly id: string;
  readonly text: string;
  /** A whole number, times in milliseconds included. */
  readonly integer: string;
  readonly real: string;
  readonly flag: string;
  readonly bytes: string;
  /** Ends a table with a primary key. */
  readonly end: string;
  /** The same for rows of more than a few hundred bytes: SQLite compares whole rows where it finds one by its key. */
  readonly endOfLong: string;
  /** Stands before the word TABLE of one whose rows a crash may lose. */
  readonly unlogged: string;
}

/** The columns of records, by their types. */
export type RecordColumns = Readonly<Record<string, 'text' | 'integer' | 'flag'>>;

/** The words in which SQLite and PostgreSQL differ. A statement names them where it is written. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  readonly types: ColumnTypes;
  /** Holds the rows of a SELECT until the transaction ends, and waits for whoever holds them. */
  readonly forUpdate: string;
  /** The same, without the rows that others hold. */
  readonly forUpdateSkipLocked: string;
  /** Follows a column: true for the values of a list, such as `anyOf('$1')`. */
  anyOf(list: string): string;
  /** Where a text holds another one, letter by letter: from 1 on, 0 for nowhere. */
  position(text: string, part: string): string;
  /** The objects of a list, which is sent as JSON, as the rows of a table. */
  records(list: string, columns: RecordColumns): string;
  /** The greatest of values. */
  greatest(...values: string[]): string;
}
