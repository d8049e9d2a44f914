import type { ClientBase, QueryResult } from 'pg';
import type { PreparedStatement, Queries, RecordValue, SqlValue } from '../queries.js';
import { postgresDialect, sentRows } from './dialect.js';
import { postgresFault } from './postgres-fault.js';

/** Replaces U+0000, which PostgreSQL's texts cannot contain. An id with it then matches nothing. */
function storable<Value extends SqlValue>(value: Value): Value | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}

/** Statements by dialect. */
const texts = new Map<string, string>();

function inPostgres({ name, text }: PreparedStatement): { readonly name: string; readonly text: string } {
  if (typeof text === 'string') return { name, text };
  const statementText = texts.get(name) ?? text(postgresDialect);
  texts.set(name, statementText);
  return { name, text: statementText };
}

export async function query(
  client: Pick<ClientBase, 'query'>,
  statement: string | PreparedStatement,
  values: readonly SqlValue[] = [],
) {
  const query = typeof statement === 'string' ? { text: statement } : inPostgres(statement);
  try {
    return await client.query<object>({ ...query, values: values.map(storable) });
  } catch (cause) {
    throw postgresFault(cause);
  }
}

export function listsOf<Column extends string>(
  columns: Readonly<Record<Column, unknown>>,
  rows: readonly Readonly<Record<Column, RecordValue>>[],
): readonly RecordValue[][] {
  return (Object.keys(columns) as Column[]).map((name) => rows.map((row) => storable(row[name])));
}

/** The driver returns a list of results for a text with several statements. */
function rowsOf(answer: QueryResult<object> | readonly QueryResult<object>[]): object[] {
  return Array.isArray(answer) ? answer.flatMap(({ rows }) => rows) : (answer as QueryResult<object>).rows;
}

export function queriesOn(client: Pick<ClientBase, 'query'>): Queries {
  return {
    dialect: postgresDialect,
    rows: async <Row extends object>(statement: string | PreparedStatement, values?: readonly SqlValue[]) =>
      rowsOf(await query(client, statement, values)) as Row[],
    first: async <Row extends object>(statement: string | PreparedStatement, values?: readonly SqlValue[]) =>
      (await query(client, statement, values)).rows[0] as Row | undefined,
    run: async (statement, values) => (await query(client, statement, values)).rowCount ?? 0,
    async runAll({ name, columns, text }, rows) {
      const statement = { name, text: () => text(sentRows(columns)) };
      return (await query(client, statement, listsOf(columns, rows))).rowCount ?? 0;
    },
    async lock(lockClass, key) {
      const hash = typeof key === 'number' ? '$2' : 'hashtext($2)';
      await query(client, `SELECT pg_advisory_xact_lock($1, ${hash})`, [lockClass, key]);
    },
    async lockTable(table) {
      await query(client, `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
    },
  };
}
