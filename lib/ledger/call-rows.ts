import type { RecordColumns } from '../database/dialect.js';
import type { PreparedRows, PreparedStatement, Queries } from '../database/queries.js';
import { type CallRow, callRecord, rowColumns } from './call-row.js';

const selectLocked: PreparedStatement = {
  name: 'ledger_lock_rows',
  text: ({ anyOf, forUpdate }) =>
    `SELECT ${rowColumns} FROM usage WHERE id ${anyOf('$1')} ORDER BY id ${forUpdate}`,
};

/** Returns the existing rows, and locks them in id order until the transaction ends. */
export async function lockRows(queries: Queries, ids: readonly string[]): Promise<CallRow[]> {
  const rows = await queries.rows<CallRow>(selectLocked, [ids]);
  // SQLite stores booleans as numbers.
  return rows.map((row) => ({ ...row, cached: Boolean(row.cached) }));
}

const insert: PreparedRows<typeof callRecord> = {
  name: 'ledger_insert_rows',
  columns: callRecord,
  text: (records) => `INSERT INTO usage (${rowColumns}) SELECT ${rowColumns} FROM ${records}`,
};

/** Rejects if a row already exists. */
export async function insertRows(queries: Queries, rows: readonly CallRow[]): Promise<void> {
  if (rows.length > 0) await queries.runAll(insert, rows);
}

// Postings never change these columns.
const { account, key_id, key_name, job_id, ...moving } = callRecord;
const { created_at, ...staying } = moving;

const updateOf = <Columns extends RecordColumns>(name: string, columns: Columns): PreparedRows<Columns> => ({
  name,
  columns,
  text(records) {
    const names = Object.keys(columns).filter((column) => column !== 'id');
    const changes = names.map((column) => `${column} = records.${column}`);
    return `UPDATE usage SET ${changes.join(', ')} FROM ${records} WHERE usage.id = records.id`;
  },
});
const update = updateOf('ledger_update_rows', staying);
const move = updateOf('ledger_move_rows', moving);

/** Writes the columns of rows that may change; their time only if `isMoved`. */
export async function updateRows(
  queries: Queries,
  rows: readonly CallRow[],
  isMoved: boolean,
): Promise<void> {
  if (rows.length === 0) return;
  // SQLite stores rows in time order. Rows that keep their time are updated in place.
  if (isMoved) await queries.runAll(move, rows);
  else await queries.runAll(update, rows);
}
