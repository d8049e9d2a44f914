import type { Queries } from '../../database/queries.js';
import { type CallRow, callColumns } from '../unit-of-work.js';

/** Types that `unnest` is told of columns that hold no text. */
const types: Partial<Record<keyof CallRow, string>> = {
  created_at: 'bigint',
  charged_at: 'bigint',
  credits_charged: 'bigint',
  credits_refunded: 'bigint',
  cached: 'boolean',
  duration_ms: 'bigint',
};

const names = callColumns.all;

/** The columns of a call, to be selected and inserted. */
export const rowColumns = names.join(', ');

/** Rows as a table of a statement, whose values are those of `rowValues` from the given position on. */
export function rowsAt(first: number): string {
  const arrays = names.map((name, index) => `$${first + index}::${types[name] ?? 'text'}[]`);
  return `unnest(${arrays.join(', ')}) AS entered (${rowColumns})`;
}

/** The values of rows, column by column. */
export function rowValues(rows: readonly CallRow[]): (readonly (string | number | boolean | null)[])[] {
  return names.map((name) => rows.map((row) => row[name]));
}

/** Locks rows until the transaction ends, in the order of their ids, and resolves with those that are there. */
export function lockRows(queries: Queries, ids: readonly string[]): Promise<CallRow[]> {
  return queries.rows<CallRow>(
    {
      name: 'ledger_lock_rows',
      text: `SELECT ${rowColumns} FROM usage WHERE id = ANY($1) ORDER BY id FOR UPDATE`,
    },
    [ids],
  );
}

/** Inserts rows. Rejects where one of them is there. */
export async function insertRows(queries: Queries, rows: readonly CallRow[]): Promise<void> {
  if (rows.length === 0) return;
  await queries.run(
    { name: 'ledger_insert_rows', text: `INSERT INTO usage (${rowColumns}) SELECT * FROM ${rowsAt(1)}` },
    rowValues(rows),
  );
}

/** Writes what of rows may change. */
export async function updateRows(queries: Queries, rows: readonly CallRow[]): Promise<void> {
  if (rows.length === 0) return;
  const changes = callColumns.changing.map((name) => `${name} = entered.${name}`);
  await queries.run(
    {
      name: 'ledger_update_rows',
      text: `UPDATE usage SET ${changes.join(', ')} FROM ${rowsAt(1)} WHERE usage.id = entered.id`,
    },
    rowValues(rows),
  );
}
