import type { RecordColumns } from '../database/dialect.js';
import type { Prepared, PreparedRows, Queries } from '../database/queries.js';
import { type CallRow, callRecord, rowColumns } from './call-row.js';

const selectLocked: Prepared = {
  name: 'ledger_lock_rows',
  text: ({ anyOf, forUpdate }) =>
    `SELECT ${rowColumns} FROM usage WHERE id ${anyOf('$1')} ORDER BY id ${forUpdate}`,
};

/** Locks rows until the transaction ends, in the order of their ids, and resolves with those that are there. */
export async function lockRows(queries: Queries, ids: readonly string[]): Promise<CallRow[]> {
  const rows = await queries.rows<CallRow>(selectLocked, [ids]);
  // SQLite has numbers for what is true or false.
  return rows.map((row) => ({ ...row, cached: Boolean(row.cached) }));
}

const insert: PreparedRows<typeof callRecord> = {
  name: 'ledger_insert_rows',
  columns: callRecord,
  text: (records) => `INSERT INTO usage (${rowColumns}) SELECT ${rowColumns} FROM ${records}`,
};

/** Inserts rows. Rejects where one of them is there. */
export async function insertRows(queries: Queries, rows: readonly CallRow[]): Promise<void> {
  if (rows.length > 0) await queries.runAll(insert, rows);
}

// A posting never changes the others.
const { account, key_id, key_name, job_id, ...moving } = callRecord;
const { created_at, ...staying } = moving;

const updateOf = <Columns extends RecordColumns>(name: string, columns: Columns): PreparedRows<Columns> => ({
  name,
  columns,
  text(records) {
    const changed = Object.keys(columns).filter((column) => column !== 'id');
    const changes = changed.map((column) => `${column} = records.${column}`);
    return `UPDATE usage SET ${changes.join(', ')} FROM ${records} WHERE usage.id = records.id`;
  },
});
const update = updateOf('ledger_update_rows', staying);
const move = updateOf('ledger_move_rows', moving);

/** Writes what of rows may change; their time only where `isMoved`. */
export async function updateRows(
  queries: Queries,
  rows: readonly CallRow[],
  isMoved: boolean,
): Promise<void> {
  if (rows.length === 0) return;
  // SQLite keeps rows in the order of their time: those whose time stays are changed where they lie.
  if (isMoved) await queries.runAll(move, rows);
  else await queries.runAll(update, rows);
}
