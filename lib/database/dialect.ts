/** The column types, and the end of a table definition, in one dialect. */
export interface ColumnTypes {
  /** A text compared byte by byte: an id, an address, an internal name. */
  readonly id: string;
  readonly text: string;
  /** A whole number, including times in milliseconds. */
  readonly integer: string;
  readonly real: string;
  readonly flag: string;
  readonly bytes: string;
  /** Ends a table with a primary key. */
  readonly end: string;
  /** For rows of more than a few hundred bytes: SQLite compares whole rows when it looks one up by key. */
  readonly endOfLong: string;
  /** Precedes the word TABLE for a table whose rows a crash may lose. */
  readonly unlogged: string;
}

export type RecordColumns = Readonly<Record<string, 'text' | 'integer' | 'flag'>>;

/** The SQL in which SQLite and PostgreSQL differ. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  readonly types: ColumnTypes;
  /** Locks the rows of a SELECT until the transaction ends, and waits for other locks on them. */
  readonly forUpdate: string;
  /** The same, but skips rows that are locked. */
  readonly forUpdateSkipLocked: string;
  /** Follows a column; true for the values of a list, as in `anyOf('$1')`. */
  anyOf(list: string): string;
  /** The position of one text within another, in characters from 1; 0 if it does not occur. */
  position(text: string, part: string): string;
  /** The objects of a list, sent as JSON, as the rows of a table. */
  records(list: string, columns: RecordColumns): string;
  greatest(...values: string[]): string;
}
