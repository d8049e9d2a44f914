import type { ClientBase, QueryResult } from 'pg';
import { postgresFault } from './postgres-fault.js';

/** A statement that is prepared once a connection: the name is unique among all of them. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
}

/** Values that a statement takes: whole numbers must be safe integers, arrays become arrays. */
type SqlValue = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[];

/** What runs statements on one connection. Each method rejects with a `StorageError`, whose `cause` is the driver's. */
export interface Queries {
  /** Resolves with the rows: of a text of several statements, which takes no values, with those of all. `int8` and `numeric` come as numbers, and reject where they are not counted exactly. */
  rows<Row extends object>(statement: string | Prepared, values?: readonly SqlValue[]): Promise<Row[]>;
  /** Resolves with the first row; undefined where there is none. */
  first<Row extends object>(
    statement: string | Prepared,
    values?: readonly SqlValue[],
  ): Promise<Row | undefined>;
  /** Resolves with the number of rows that were written. */
  run(statement: string | Prepared, values?: readonly SqlValue[]): Promise<number>;
}

/**
 * What can be sent of a value. No text of PostgreSQL holds U+0000: it becomes the sign for what cannot be shown. An id with
 * one then names nothing.
 */
function storable(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}

/** Runs one statement. Rejects with a `StorageError`. */
export async function query(
  client: Pick<ClientBase, 'query'>,
  statement: string | Prepared,
  values: readonly SqlValue[] = [],
) {
  const named = typeof statement === 'string' ? { text: statement } : statement;
  try {
    return await client.query<object>({ ...named, values: values.map(storable) });
  } catch (cause) {
    throw postgresFault(cause);
  }
}

/** The rows of an answer; the driver gives a list of answers for a text of several statements. */
function rowsOf(answer: QueryResult<object> | readonly QueryResult<object>[]): object[] {
  return Array.isArray(answer) ? answer.flatMap(({ rows }) => rows) : (answer as QueryResult<object>).rows;
}

/** The `Queries` of a connection. */
export function queriesOn(client: Pick<ClientBase, 'query'>): Queries {
  return {
    rows: async <Row extends object>(statement: string | Prepared, values?: readonly SqlValue[]) =>
      rowsOf(await query(client, statement, values)) as Row[],
    first: async <Row extends object>(statement: string | Prepared, values?: readonly SqlValue[]) =>
      (await query(client, statement, values)).rows[0] as Row | undefined,
    run: async (statement, values) => (await query(client, statement, values)).rowCount ?? 0,
  };
}
