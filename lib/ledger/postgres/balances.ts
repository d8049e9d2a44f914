import type { Queries } from '../../database/queries.js';
import type { Balance } from '../ledger.js';

/*
 * The table of balances, and the only code that writes to it. Each change goes into the transaction that writes the
 * row it is made for. The table refuses a balance below zero. A statement that changes several locks them in the
 * order of their ids.
 */

const balanceColumns = 'id AS account, balance AS credits, bought';

/** The balance of an account, read without a lock. */
export async function balanceOf(queries: Queries, account: string): Promise<Balance> {
  const found = await queries.first<Balance>(
    { name: 'ledger_balance', text: `SELECT ${balanceColumns} FROM balances WHERE id = $1` },
    [account],
  );
  return found ?? { account, credits: 0, bought: false };
}

/** The balances of accounts, by their ids, read without a lock; an account that is not known is left out. */
export async function balancesOf(
  queries: Queries,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, Balance>> {
  const text = `SELECT ${balanceColumns} FROM balances WHERE id ${queries.dialect.anyOf('$1')}`;
  const rows = await queries.rows<Balance>({ name: 'ledger_balances', text }, [accounts]);
  return new Map(rows.map((row) => [row.account, { ...row, bought: Boolean(row.bought) }]));
}

/** Locks the balances of accounts until the transaction ends, and resolves with those that are there. */
export function lockBalances(queries: Queries, accounts: readonly string[]): Promise<Balance[]> {
  return queries.rows<Balance>(
    {
      name: 'ledger_lock_balances',
      text: `SELECT ${balanceColumns} FROM balances WHERE id = ANY($1) ORDER BY id FOR UPDATE`,
    },
    [accounts],
  );
}

/** Makes the account's row where there is none; `at` is in milliseconds since 1970. */
export async function openBalance(queries: Queries, account: string, at: number): Promise<void> {
  await queries.run(
    'INSERT INTO balances (id, balance, bought, created_at) VALUES ($1, 0, false, $2) ON CONFLICT (id) DO NOTHING',
    [account, at],
  );
}

/** Adds credits to the balances of accounts; fewer than zero are taken. Rejects where a balance would be below zero. */
export async function addToBalances(queries: Queries, credits: ReadonlyMap<string, number>): Promise<void> {
  const moved = [...credits].filter(([, count]) => count !== 0);
  if (moved.length === 0) return;
  await queries.run(
    {
      name: 'ledger_add_to_balances',
      text: `UPDATE balances SET balance = balance + moved.credits
             FROM unnest($1::text[], $2::bigint[]) AS moved (account, credits) WHERE balances.id = moved.account`,
    },
    [moved.map(([account]) => account), moved.map(([, count]) => count)],
  );
}

/** The account has bought a pack. */
export async function markBought(queries: Queries, account: string): Promise<void> {
  await queries.run('UPDATE balances SET bought = true WHERE id = $1 AND NOT bought', [account]);
}

/** The sums that a statement takes of accounts: $1 ids, $2 credits, $3 whether a bought pack is needed. */
export const duesOfAccounts = `
  due AS (SELECT * FROM unnest($1::text[], $2::bigint[], $3::boolean[]) AS d (account, credits, needs_pack))`;

/** True where each account could pay by what is seen without a lock. An account that is there stays, with what it bought. */
export const canPay = `(
    SELECT count(*) FROM due JOIN balances ON balances.id = due.account
    WHERE balances.balance >= due.credits AND (balances.bought OR NOT due.needs_pack)
  ) = cardinality($1::text[])`;

/**
 * The parts that take the sums, `locked` and `taken`: the balances after it. They wait for `condition`, and need it to
 * hold. The table refuses the statement where a balance has become too small since it was seen.
 */
export const takeDues = (condition: string) => `
  locked AS (SELECT id FROM balances WHERE id = ANY($1) AND ${condition} ORDER BY id FOR UPDATE),
  taken AS (
    UPDATE balances SET balance = balances.balance - due.credits FROM due
    WHERE (SELECT count(*) FROM locked) > 0 AND balances.id = due.account
    RETURNING balances.id AS account, balances.balance AS credits
  )`;
