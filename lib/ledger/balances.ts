import type { Prepared, PreparedRows, Queries } from '../database/queries.js';
import type { Balance } from './ledger.js';

/*
 * The table of balances, and the only code that writes to it. Each change goes into the transaction that writes the
 * row it is made for. The table refuses a balance below zero. A statement that changes several locks them in the
 * order of their ids.
 */

const balanceColumns = 'id AS account, balance AS credits, bought';

/** SQLite has numbers for what is true or false. */
const asBalance = (row: Balance): Balance => ({ ...row, bought: Boolean(row.bought) });

/** The balance of an account, read without a lock. An account that is not there has nothing. */
export async function balanceOf(queries: Queries, account: string): Promise<Balance> {
  const found = await queries.first<Balance>(
    { name: 'ledger_balance', text: `SELECT ${balanceColumns} FROM balances WHERE id = $1` },
    [account],
  );
  return found === undefined ? { account, credits: 0, bought: false } : asBalance(found);
}

const selectBalances: Prepared = {
  name: 'ledger_balances',
  text: ({ anyOf }) => `SELECT ${balanceColumns} FROM balances WHERE id ${anyOf('$1')}`,
};

/** The balances of accounts, by their ids, read without a lock; an account that is not known is left out. */
export async function balancesOf(
  queries: Queries,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, Balance>> {
  const rows = await queries.rows<Balance>(selectBalances, [accounts]);
  return new Map(rows.map((row) => [row.account, asBalance(row)]));
}

const selectLocked: Prepared = {
  name: 'ledger_lock_balances',
  text: ({ anyOf, forUpdate }) =>
    `SELECT ${balanceColumns} FROM balances WHERE id ${anyOf('$1')} ORDER BY id ${forUpdate}`,
};

/** Locks the balances of accounts until the transaction ends, and resolves with those that are there. */
export async function lockBalances(queries: Queries, accounts: readonly string[]): Promise<Balance[]> {
  return (await queries.rows<Balance>(selectLocked, [accounts])).map(asBalance);
}

/** Makes the account's row where there is none; `at` is in milliseconds since 1970. */
export async function openBalance(queries: Queries, account: string, at: number): Promise<void> {
  await queries.run(
    'INSERT INTO balances (id, balance, bought, created_at) VALUES ($1, 0, false, $2) ON CONFLICT (id) DO NOTHING',
    [account, at],
  );
}

const moved = { account: 'text', credits: 'integer' } as const;

const addCredits: PreparedRows<typeof moved> = {
  name: 'ledger_add_to_balances',
  columns: moved,
  text: (records) =>
    `UPDATE balances SET balance = balance + records.credits FROM ${records} WHERE balances.id = records.account`,
};

/** Adds credits to the balances of accounts; fewer than zero are taken. Rejects where a balance would be below zero. */
export async function addToBalances(queries: Queries, credits: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...credits].flatMap(([account, count]) => (count === 0 ? [] : { account, credits: count }));
  if (rows.length > 0) await queries.runAll(addCredits, rows);
}

/** The account has bought a pack. */
export async function markBought(queries: Queries, account: string): Promise<void> {
  await queries.run('UPDATE balances SET bought = true WHERE id = $1 AND NOT bought', [account]);
}

/** Takes `due` of an account that has it, and a bought pack where one is needed. For SQLite's charge batch. */
export const takeDue = `
  UPDATE balances SET balance = balance - @due WHERE id = @account AND balance >= @due AND bought >= @pack
  RETURNING balance`;

/** The sums that a statement takes of accounts: $1 ids, $2 credits, $3 whether a bought pack is needed. For PostgreSQL's. */
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
