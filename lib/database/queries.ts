import { maxSkewMs } from '../runtime/clock.js';
import type { Dialect, RecordColumns } from './dialect.js';

/** Sorts after every id: ids begin with their time, in letters and digits. A page without an id to begin at begins here. */
export const afterEveryId = '~';

/** A statement that is prepared once a connection: the name is unique among all of them. */
export interface Prepared {
  readonly name: string;
  /** The text, or how it reads in each dialect. */
  readonly text: string | ((dialect: Dialect) => string);
}

/** A statement over rows: its work on some of them must be that on each in turn. */
export interface PreparedRows<Columns extends RecordColumns> {
  readonly name: string;
  /** The columns of the rows. */
  readonly columns: Columns;
  /** The text, which reads them from the table `records` that it is given. */
  text(records: string): string;
}

/** Values that a statement takes: whole numbers must be safe integers, arrays become lists. */
export type SqlValue = RecordValue | Buffer | readonly RecordValue[];

/** A value of a record. */
export type RecordValue = string | number | boolean | null;

/** A statement that inserts a row, and its values. `into` names the table (`INSERT INTO users`). */
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
 * True in a statement where a time has come. One that is further ahead than `maxMs`, by which it was put off at most, is of a
 * clock that was set back since.
 */
export const hasCome = (column: string, now: string, maxMs: number) =>
  `(${column} <= ${now} OR ${column} > ${now} + ${maxMs + maxSkewMs})`;

/**
 * Runs statements on one connection. A statement is PostgreSQL's; where SQLite differs, it names a word of `dialect`. Values
 * stand as `$1`, `$2` and so on, and a count has a name (`count(*) AS count`). Each method rejects with a `StorageError`, whose
 * `cause` is the driver's.
 */
export interface Queries {
  /** The words in which the dialects differ, to be named where a statement is written. */
  readonly dialect: Dialect;
  /** Resolves with the rows. Whole numbers come as numbers, and truth values as the dialect has them: `Boolean` reads both. */
  rows<Row extends object>(statement: string | Prepared, values?: readonly SqlValue[]): Promise<Row[]>;
  /** Resolves with the first row; undefined where there is none. */
  first<Row extends object>(
    statement: string | Prepared,
    values?: readonly SqlValue[],
  ): Promise<Row | undefined>;
  /** Resolves with the number of rows that were written. */
  run(statement: string | Prepared, values?: readonly SqlValue[]): Promise<number>;
  /** Runs a statement over rows. Resolves with the number of rows that were written. */
  runAll<Columns extends RecordColumns>(
    statement: PreparedRows<Columns>,
    rows: readonly Readonly<Record<keyof Columns, RecordValue>>[],
  ): Promise<number>;
  /** Waits until no other transaction holds the lock of that class and key, and holds it until this one ends. */
  lock(lockClass: number, key: string | number): Promise<void>;
  /** Lets no other transaction write the table until this one ends. */
  lockTable(table: string): Promise<void>;
}
