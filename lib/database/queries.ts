import { maxSkewMs } from '../runtime/clock.js';
import type { Dialect, RecordColumns } from './dialect.js';

/** Sorts after every id, because ids begin with their time in letters and digits. */
export const afterEveryId = '~';

/** A statement prepared once per connection, with a unique name. */
export interface PreparedStatement {
  readonly name: string;
  /** The text, or a function that returns it for a dialect. */
  readonly text: string | ((dialect: Dialect) => string);
}

/** A statement over rows. Its effect on several rows must equal its effect on each in turn. */
export interface PreparedRows<Columns extends RecordColumns> {
  readonly name: string;
  readonly columns: Columns;
  /** Reads the rows from the table `records`. */
  text(records: string): string;
}

/** Values that a statement accepts. Whole numbers must be safe integers; arrays become lists. */
export type SqlValue = RecordValue | Buffer | readonly RecordValue[];

export type RecordValue = string | number | boolean | null;

/** Returns a statement that inserts a row, with its values. `into` names the table (`INSERT INTO users`). */
export function insertion(
  into: `INSERT INTO ${string}`,
  row: Readonly<Record<string, SqlValue>>,
  rest = '',
): [statement: string, values: readonly SqlValue[]] {
  const names = Object.keys(row);
  const values = names.map((_, index) => `$${index + 1}`);
  return [`${into} (${names.join(', ')}) VALUES (${values.join(', ')}) ${rest}`, Object.values(row)];
}

/**
 * SQL that is true once a time has come. A time more than `maxMs` in the future, the longest possible delay, was
 * written before the clock was set back.
 */
export const isPastSql = (column: string, now: string, maxMs: number) =>
  `(${column} <= ${now} OR ${column} > ${now} + ${maxMs + maxSkewMs})`;

/**
 * Runs statements on one connection. Statements are in PostgreSQL's SQL and use `dialect` where SQLite differs. Values
 * are `$1`, `$2` and so on, and a count has a name (`count(*) AS count`). Each method rejects with a `StorageError`,
 * whose `cause` is the driver's error.
 */
export interface Queries {
  readonly dialect: Dialect;
  /**
   * Returns the rows. Whole numbers arrive as numbers and booleans as the dialect stores them; `Boolean` reads both.
   */
  rows<Row extends object>(
    statement: string | PreparedStatement,
    values?: readonly SqlValue[],
  ): Promise<Row[]>;
  first<Row extends object>(
    statement: string | PreparedStatement,
    values?: readonly SqlValue[],
  ): Promise<Row | undefined>;
  /** Returns the number of rows written. */
  run(statement: string | PreparedStatement, values?: readonly SqlValue[]): Promise<number>;
  /** Runs a statement over rows. Returns the number of rows written. */
  runAll<Columns extends RecordColumns>(
    statement: PreparedRows<Columns>,
    rows: readonly Readonly<Record<keyof Columns, RecordValue>>[],
  ): Promise<number>;
  /** Waits until no other transaction holds the lock of this class and key, and holds it until this one ends. */
  lock(lockClass: number, key: string | number): Promise<void>;
  /** Prevents other transactions from writing the table until this one ends. */
  lockTable(table: string): Promise<void>;
}
