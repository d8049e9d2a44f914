import type { Queries } from '../database/queries.js';

/** The charges of keys in a month; keys without charges are left out. */
export async function spentByKeys(
  queries: Queries,
  keys: readonly string[],
  month: string,
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const text = `SELECT key_id, credits FROM key_months WHERE month = $2 AND key_id ${queries.dialect.anyOf('$1')}`;
  const rows = await queries.rows<{ readonly key_id: string; readonly credits: number }>(
    { name: 'ledger_key_months', text },
    [keys, month],
  );
  return new Map(rows.map(({ key_id, credits }) => [key_id, credits]));
}
