import type { PreparedRows, PreparedStatement, Queries } from '../database/queries.js';
import type { Balance } from './ledger.js';

/*
 * The table of balances, and the only code that writes to it. Changes run in the transaction that writes the row that
 * explains them. The table rejects a balance below zero. Statements that change several balances lock them in id order.
 */

const balanceColumns = 'id AS account, balance AS credits, bought';

/** SQLite stores booleans as numbers. */
const asBalance = (row: Balance): Balance => ({ ...row, bought: Boolean(row.bought) });

/** Returns an account's balance without a lock. An account without a row has no credits. */
export async function balanceOf(queries: Queries, account: string): Promise<Balance> {
  const balance = await queries.first<Balance>(
    { name: 'ledger_balance', text: `SELECT ${balanceColumns} FROM balances WHERE id = $1` },
    [account],
  );
  return balance === undefined ? { account, credits: 0, bought: false } : asBalance(balance);
}

const selectBalances: PreparedStatement = {
  name: 'ledger_balances',
  text: ({ anyOf }) => `SELECT ${balanceColumns} FROM balances WHERE id ${anyOf('$1')}`,
};

/** Returns balances by account without a lock. Unknown accounts are omitted. */
export async function balancesOf(
  queries: Queries,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, Balance>> {
  const rows = await queries.rows<Balance>(selectBalances, [accounts]);
  return new Map(rows.map((row) => [row.account, asBalance(row)]));
}

const selectLocked: PreparedStatement = {
  name: 'ledger_lock_balances',
  text: ({ anyOf, forUpdate }) =>
    `SELECT ${balanceColumns} FROM balances WHERE id ${anyOf('$1')} ORDER BY id ${forUpdate}`,
};

/** Returns the existing balances of accounts, and locks them until the transaction ends. */
export async function lockBalances(queries: Queries, accounts: readonly string[]): Promise<Balance[]> {
  return (await queries.rows<Balance>(selectLocked, [accounts])).map(asBalance);
}

/** Creates an account's row if it does not exist. `at` is in milliseconds since 1970. */
export async function openBalance(queries: Queries, account: string, at: number): Promise<void> {
  await queries.run(
    'INSERT INTO balances (id, balance, bought, created_at) VALUES ($1, 0, false, $2) ON CONFLICT (id) DO NOTHING',
    [account, at],
  );
}

const changeColumns = { account: 'text', credits: 'integer' } as const;

const addCredits: PreparedRows<typeof changeColumns> = {
  name: 'ledger_add_to_balances',
  columns: changeColumns,
  text: (records) =>
    `UPDATE balances SET balance = balance + records.credits FROM ${records} WHERE balances.id = records.account`,
};

/** Adds credits to balances; negative amounts are subtracted. Rejects if a balance would drop below zero. */
export async function addToBalances(queries: Queries, credits: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...credits].flatMap(([account, count]) => (count === 0 ? [] : { account, credits: count }));
  if (rows.length > 0) await queries.runAll(addCredits, rows);
}

export async function markBought(queries: Queries, account: string): Promise<void> {
  await queries.run('UPDATE balances SET bought = true WHERE id = $1 AND NOT bought', [account]);
}

/**
 * SQL that takes `due` from an account that has enough, and has bought a pack if one is required. Used by SQLite's
 * charge batch.
 */
export const takeDue = `
  UPDATE balances SET balance = balance - @due WHERE id = @account AND balance >= @due AND bought >= @pack
  RETURNING balance`;

/**
 * The amounts that a statement takes from accounts: $1 ids, $2 credits, $3 whether a bought pack is required. Used by
 * PostgreSQL's charge batch.
 */
export const duesOfAccounts = `
  due AS (SELECT * FROM unnest($1::text[], $2::bigint[], $3::boolean[]) AS d (account, credits, needs_pack))`;

/** True if every account can pay, judged without a lock. Accounts are never removed and keep what they bought. */
export const canPay = `(
    SELECT count(*) FROM due JOIN balances ON balances.id = due.account
    WHERE balances.balance >= due.credits AND (balances.bought OR NOT due.needs_pack)
  ) = cardinality($1::text[])`;

/**
 * The clauses `locked` and `taken`, which take the amounts and return the new balances if `condition` holds. The table
 * rejects the statement if a balance has become too small since it was read.
 */
export const takeDues = (predicate: string) => `
  locked AS (SELECT id FROM balances WHERE id = ANY($1) AND ${predicate} ORDER BY id FOR UPDATE),
  taken AS (
    UPDATE balances SET balance = balances.balance - due.credits FROM due
    WHERE (SELECT count(*) FROM locked) > 0 AND balances.id = due.account
    RETURNING balances.id AS account, balances.balance AS credits
  )`;
