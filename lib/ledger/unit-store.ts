import type { Queries } from '../database/queries.js';
import { addToBalances, lockBalances } from './balances.js';
import { insertRows, lockRows, updateRows } from './call-rows.js';
import { monthOf } from './key-limit.js';
import { addToKeyMonths, spentByKeys } from './key-months.js';
import { UnitOfWork } from './unit-of-work.js';
import { addToSums } from './usage-sums.js';

export interface UnitNeeds {
  /** Ids of calls. Their accounts are locked, too. */
  readonly ids: readonly string[];
  readonly accounts?: readonly string[];
  /** Ids of keys whose limit must be enforced. */
  readonly keys?: readonly string[];
}

/**
 * Locks and loads a part of the books, inside a transaction. Every process locks rows before balances, both in id
 * order. The charges of keys and the sums of days change under the lock of their account.
 */
export async function loadUnit(
  queries: Queries,
  { ids, accounts = [], keys = [] }: UnitNeeds,
  now: number,
): Promise<UnitOfWork> {
  const rows = await lockRows(queries, ids);
  const owners = new Set([...accounts, ...rows.map(({ account }) => account)]);
  const balances = await lockBalances(queries, [...owners]);
  return new UnitOfWork({ balances, rows, spent: await spentByKeys(queries, keys, monthOf(now)), now });
}

/** Writes what the entries changed, in the transaction that loaded the books. */
export async function storeUnit(queries: Queries, unit: UnitOfWork): Promise<void> {
  const { inserts, updates } = unit.written;
  await insertRows(queries, inserts);
  await updateRows(queries, updates, unit.isMoved);
  await addToBalances(queries, unit.moved);
  await addToKeyMonths(queries, unit.months);
  await addToSums(queries, unit.sums);
}
