import type { Queries } from '../../postgres/queries.js';
import { monthOf } from '../key-limit.js';
import { addToBalances, lockBalances } from './balances.js';
import { Books } from './books.js';
import { insertRows, lockRows, updateRows } from './call-rows.js';
import { addToKeyMonths, spentByKeys } from './key-months.js';
import { addToSums } from './usage-sums.js';

/** What entries need of the books. */
export interface BooksNeeds {
  /** Ids of calls. Their accounts are locked as well. */
  readonly ids: readonly string[];
  readonly accounts: readonly string[];
  /** Ids of keys whose limit is to be kept. */
  readonly keys: readonly string[];
}

/**
 * Locks and loads a part of the books, inside a transaction: rows before balances, each in the order of their ids, as
 * everybody does it. What keys were charged and the sums of days change under the lock of their account.
 */
export async function loadBooks(
  queries: Queries,
  { ids, accounts, keys }: BooksNeeds,
  now: number,
): Promise<Books> {
  const rows = await lockRows(queries, ids);
  const owners = new Set([...accounts, ...rows.map(({ account }) => account)]);
  const balances = await lockBalances(queries, [...owners]);
  return new Books({ balances, rows, spent: await spentByKeys(queries, keys, monthOf(now)), now });
}

/** Writes what entries have changed, in the transaction that loaded the books. */
export async function storeBooks(queries: Queries, books: Books): Promise<void> {
  const { inserts, updates } = books.written;
  await insertRows(queries, inserts);
  await updateRows(queries, updates);
  await addToBalances(queries, books.moved);
  await addToKeyMonths(queries, books.months);
  await addToSums(queries, books.sums);
}
