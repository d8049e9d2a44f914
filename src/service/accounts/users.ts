import { ulid } from 'ulid';
import { afterEveryId, type Queries } from '../../../lib/database/queries.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { localAccount } from '../../../lib/ledger/ledger.js';
import type { AccountMoney } from './account-money.js';
import type { Account } from './accounts.js';
import type { KeyedDigest } from './digests.js';
import { forfeitedEndpoint, toAccount, type UserRow } from './user-row.js';

const nothing = { credits: 0, bought: false };

/**
 * Users and their accounts, with what confirming or deleting one does to the money. Methods that write must run in a
 * transaction.
 */
export class Users {
  readonly #money: AccountMoney;
  readonly #digest: KeyedDigest;
  readonly #trialCredits: number;

  constructor(money: AccountMoney, digest: KeyedDigest, trialCredits: number) {
    this.#money = money;
    this.#digest = digest;
    this.#trialCredits = trialCredits;
  }

  all(queries: Queries): Promise<readonly UserRow[]> {
    return queries.rows<UserRow>('SELECT * FROM users ORDER BY created_at, account');
  }

  /** Returns users whose address contains a text, newest first, before the account of that id. */
  page(
    queries: Queries,
    search: string,
    limit: number,
    before: string | undefined,
  ): Promise<readonly UserRow[]> {
    return queries.rows<UserRow>(
      `SELECT * FROM users WHERE account < $1 AND ${queries.dialect.position('email', '$2')} > 0
       ORDER BY account DESC LIMIT $3`,
      [before ?? afterEveryId, search.toLowerCase(), limit],
    );
  }

  async count(queries: Queries): Promise<number> {
    return (
      (await queries.first<{ readonly count: number }>('SELECT count(*) AS count FROM users'))?.count ?? 0
    );
  }

  byEmail(queries: Queries, email: string): Promise<UserRow | undefined> {
    return queries.first<UserRow>('SELECT * FROM users WHERE email = $1', [email]);
  }

  find(queries: Queries, account: string): Promise<UserRow | undefined> {
    return queries.first<UserRow>('SELECT * FROM users WHERE account = $1', [account]);
  }

  /** Throws `invalid_parameter` for an unknown account. */
  async byId(queries: Queries, account: string): Promise<UserRow> {
    return requireUser(await this.find(queries, account), account);
  }

  /** Returns a user and locks it until the transaction ends, so that it cannot be deleted meanwhile. */
  async lock(queries: Queries, account: string): Promise<UserRow> {
    const row = await queries.first<UserRow>(
      `SELECT * FROM users WHERE account = $1 ${queries.dialect.forUpdate}`,
      [account],
    );
    return requireUser(row, account);
  }

  /** Opens an account for an address and returns its locked row; undefined if the address has one. */
  open(queries: Queries, email: string, now: number): Promise<UserRow | undefined> {
    return queries.first<UserRow>(
      `INSERT INTO users (account, email, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (email) DO NOTHING RETURNING *`,
      [`acct_${ulid(now)}`, email, now],
    );
  }

  /** Returns the locked account of an address. Creates it if there is none, even if it is deleted meanwhile. */
  async enter(queries: Queries, email: string, now: number): Promise<{ user: UserRow; isNew: boolean }> {
    for (let tries = 0; tries < 3; tries += 1) {
      const existing = await queries.first<UserRow>(
        `SELECT * FROM users WHERE email = $1 ${queries.dialect.forUpdate}`,
        [email],
      );
      if (existing !== undefined) return { user: existing, isNew: false };
      const user = await this.open(queries, email, now);
      if (user !== undefined) return { user: user, isNew: true };
    }
    throw new ExtractError(
      'internal_error',
      'The account is being created and deleted concurrently. Try again.',
    );
  }

  /** Confirms the address. The first confirmation grants the trial, unless the address had one before. */
  async confirm(queries: Queries, { account, email }: UserRow, now: number): Promise<void> {
    const confirmed = await queries.run(
      'UPDATE users SET verified_at = $1 WHERE account = $2 AND verified_at IS NULL',
      [now, account],
    );
    if (confirmed === 0 || this.#trialCredits === 0) return;
    const former = await queries.first('SELECT 1 FROM former_addresses WHERE digest = $1', [
      this.#former(email),
    ]);
    if (former !== undefined) return;
    await this.#money.grant(queries, {
      ...{ id: `trial_${account}`, account, credits: this.#trialCredits },
      ...{ kind: 'trial', at: new Date(now).toISOString() },
    });
  }

  /**
   * Deletes a user and their keys. The ledger's rows stay, under the id alone. The remaining balance is charged, so
   * that the books balance and nothing can be spent.
   */
  async delete(queries: Queries, { account, email, verified_at }: UserRow, now: number): Promise<void> {
    if (verified_at !== null) {
      await queries.run(
        'INSERT INTO former_addresses (digest, deleted_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [this.#former(email), now],
      );
    }
    const forfeit = { id: `forfeit_${account}`, account, endpoint: forfeitedEndpoint, at: now };
    await this.#money.forfeit(queries, forfeit);
    await queries.run('DELETE FROM key_uses WHERE key IN (SELECT id FROM api_keys WHERE account = $1)', [
      account,
    ]);
    await queries.run('DELETE FROM api_keys WHERE account = $1', [account]);
    await queries.run('DELETE FROM users WHERE account = $1', [account]);
  }

  async accounts(queries: Queries, rows: readonly UserRow[]): Promise<readonly Account[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ account }) => account);
    const balances = await this.#money.balances(queries, ids);
    return rows.map((row) => toAccount(row, balances.get(row.account) ?? nothing));
  }

  async account(queries: Queries, row: UserRow): Promise<Account> {
    return toAccount(row, (await this.#money.balances(queries, [row.account])).get(row.account) ?? nothing);
  }

  #former(email: string): Buffer {
    return this.#digest('former address', email);
  }
}

/**
 * Locks an account until the transaction ends, so that what is created for it either exists when the account is
 * deleted, or is not created. Rejects `invalid_api_key` for a deleted account.
 */
export async function holdAccount(queries: Queries, account: string): Promise<void> {
  // It has no user, and cannot be deleted.
  if (account === localAccount) return;
  const text = `SELECT account FROM users WHERE account = $1 ${queries.dialect.forUpdate}`;
  if ((await queries.first(text, [account])) === undefined) throw new ExtractError('invalid_api_key');
}

function requireUser(row: UserRow | undefined, account: string): UserRow {
  if (row === undefined) throw new ExtractError('invalid_parameter', `There is no account ${account}.`);
  return row;
}
