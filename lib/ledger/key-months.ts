import type { PreparedRows, PreparedStatement, Queries } from '../database/queries.js';

/*
 * The charges of each key in each month, net of refunds. Changes run in the transaction that writes the row and locks
 * the account's balance, so that concurrent calls cannot exceed a limit together.
 */

const select: PreparedStatement = {
  name: 'ledger_key_months',
  text: ({ anyOf }) => `SELECT key_id, credits FROM key_months WHERE month = $2 AND key_id ${anyOf('$1')}`,
};

/** Returns the charges of keys in a month. Keys without charges are omitted. */
export async function spentByKeys(
  queries: Queries,
  keys: readonly string[],
  month: string,
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await queries.rows<{ readonly key_id: string; readonly credits: number }>(select, [
    keys,
    month,
  ]);
  return new Map(rows.map(({ key_id, credits }) => [key_id, credits]));
}

const changeColumns = { key: 'text', month: 'text', credits: 'integer' } as const;

const takeBack: PreparedRows<typeof changeColumns> = {
  name: 'ledger_take_back_from_key_months',
  columns: changeColumns,
  text: (records) =>
    `UPDATE key_months SET credits = key_months.credits + records.credits FROM ${records}
     WHERE key_months.key_id = records.key AND key_months.month = records.month`,
};

const add: PreparedRows<typeof changeColumns> = {
  name: 'ledger_add_to_key_months',
  columns: changeColumns,
  text: (records) =>
    `INSERT INTO key_months (key_id, month, credits) SELECT key, month, credits FROM ${records} WHERE true
     ON CONFLICT (key_id, month) DO UPDATE SET credits = key_months.credits + excluded.credits`,
};

export async function addToKeyMonths(
  queries: Queries,
  months: readonly { readonly key: string; readonly month: string; readonly credits: number }[],
): Promise<void> {
  // A refund follows a counted charge, so only a charge may find no row.
  const refunds = months.filter(({ credits }) => credits < 0);
  const charges = months.filter(({ credits }) => credits > 0);
  if (refunds.length > 0) await queries.runAll(takeBack, refunds);
  if (charges.length > 0) await queries.runAll(add, charges);
}
