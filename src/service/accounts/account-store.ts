import { ulid } from 'ulid';
import type { RowOf } from '../../../lib/database/columns.js';
import type { Database } from '../../../lib/database/database.js';
import { insertion, type Queries } from '../../../lib/database/queries.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { Act } from '../audit/audit-log.js';
import type { AuditStore } from '../audit/audit-store.js';
import type { AccountMoney } from './account-money.js';
import type { ApiKey } from './account-objects.js';
import {
  type Account,
  type AccountPage,
  type KeyOwner,
  maxActiveKeys,
  maxEndedKeys,
  type NewAccount,
  type NewKey,
} from './accounts.js';
import type { keyColumns } from './accounts-schema.js';
import { digestOf, newSecret } from './api-key.js';
import { ApiKeyCache } from './api-key-cache.js';
import { type ApiKeyRow, checkKeyLimit, checkNewKey, platformsText, toApiKey } from './api-key-row.js';
import { emailAddress } from './email-address.js';
import type { UserRow } from './user-row.js';
import type { Users } from './users.js';

/** Maximum ended keys deleted when a key is created: enough to catch up if many end together. */
const maxForgotten = 1_000;
const withUses = 'SELECT api_keys.*, used_at FROM api_keys LEFT JOIN key_uses ON key = id';

/** A store with rows that belong to accounts, and are deleted or ended in the transaction that deletes the account. */
export interface AccountRows {
  deleteAccount(queries: Queries, user: UserRow): Promise<void>;
}

export interface AccountStoreOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Users;
  readonly money: AccountMoney;
  readonly rows: readonly AccountRows[];
  /** Undefined when people change their own accounts. */
  readonly audit: AuditStore | undefined;
}

/** Accounts. Each grant runs in the same transaction as the row that explains it. */
export class AccountStore {
  readonly #options: AccountStoreOptions;
  readonly #cache: ApiKeyCache;

  constructor(options: AccountStoreOptions) {
    this.#options = options;
    this.#cache = new ApiKeyCache(options.database, options.clock);
  }

  /** Creates an account. Rejects `invalid_parameter` for an invalid address or one that already has an account. */
  async create({ email, verified, credits }: NewAccount): Promise<Account> {
    const { users, money, clock } = this.#options;
    const address = emailAddress(email);
    return this.#change(async (queries) => {
      const now = clock.now();
      const user = await users.open(queries, address, now);
      if (user === undefined) {
        throw new ExtractError('invalid_parameter', `An account for ${address} already exists.`);
      }
      if (verified) await users.confirm(queries, user, now);
      if (credits > 0) {
        const at = new Date(now).toISOString();
        await money.grant(queries, {
          ...{ id: `pack_${ulid(now)}`, account: user.account, credits, kind: 'pack', at },
        });
      }
      const details = { verified, credits };
      await this.#note(queries, { act: 'account.create', subject: user.account, details });
      return users.account(queries, await users.byId(queries, user.account));
    });
  }

  find(email: string): Promise<Account | null> {
    const { database, users } = this.#options;
    return database.read(async (queries) => {
      const row = await users.byEmail(queries, email.trim().toLowerCase());
      return row === undefined ? null : users.account(queries, row);
    });
  }

  get(id: string): Promise<Account | null> {
    const { database, users } = this.#options;
    return database.read(async (queries) => {
      const row = await users.find(queries, id);
      return row === undefined ? null : users.account(queries, row);
    });
  }

  /** Returns every account, oldest first. */
  list(): Promise<readonly Account[]> {
    const { database, users } = this.#options;
    return database.read(async (queries) => users.accounts(queries, await users.all(queries)));
  }

  /** Returns accounts whose address contains a text, newest first, before the account of that id. */
  listPage(search: string, limit: number, before: string | undefined): Promise<AccountPage> {
    const { database, users } = this.#options;
    return database.read(async (queries) => {
      const rows = await users.page(queries, search, limit + 1, before);
      const accounts = await users.accounts(queries, rows.slice(0, limit));
      return { accounts, next: rows.length > limit ? (accounts.at(-1)?.id ?? null) : null };
    });
  }

  count(): Promise<number> {
    const { database, users } = this.#options;
    return database.read((queries) => users.count(queries));
  }

  /** Confirms the address. The first confirmation grants the trial credits; later calls change nothing. */
  verify(account: string): Promise<Account> {
    const { users, clock } = this.#options;
    return this.#change(async (queries) => {
      const user = await users.lock(queries, account);
      if (user.verified_at === null) {
        await users.confirm(queries, user, clock.now());
        await this.#note(queries, { act: 'account.verify', subject: account });
      }
      return users.account(queries, await users.byId(queries, account));
    });
  }

  /** Creates a key. Only this result holds the secret. Rejects `key_limit_reached`, `invalid_parameter`. */
  async createKey(key: NewKey): Promise<{ key: ApiKey; secret: string }> {
    const { users, clock } = this.#options;
    const label = checkNewKey(key, clock.now());
    const { account, expiresAt, monthlyCredits = null } = key;
    return this.#change(async (queries) => {
      // Keys of one account are created one at a time, because they are counted.
      await users.lock(queries, account);
      const now = clock.now();
      const active = await queries.first<{ readonly count: number }>(
        `SELECT count(*) AS count FROM api_keys
         WHERE account = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
        [account, now],
      );
      if ((active?.count ?? 0) >= maxActiveKeys) throw new ExtractError('key_limit_reached');
      const id = `key_${ulid(now)}`;
      const secret = newSecret();
      const details = {
        account,
        platforms: platformsText(key),
        expires_at: expiresAt ?? null,
        monthly_credits: monthlyCredits,
      };
      const row: RowOf<typeof keyColumns> = {
        ...{ id, name: label, digest: digestOf(secret), last_four: secret.slice(-4) },
        ...{ created_at: now, revoked_at: null },
        ...details,
      };
      await queries.run(...insertion('INSERT INTO api_keys', row));
      await this.#forgetEnded(queries, account, now);
      await this.#note(queries, { act: 'key.create', subject: id, details });
      return { key: toApiKey((await this.#key(queries, id)) as ApiKeyRow), secret };
    });
  }

  /** Returns the keys of an account, or all keys, oldest first, including revoked ones. */
  listKeys(account?: string): Promise<readonly ApiKey[]> {
    return this.#options.database.read(async (queries) => {
      const rows = await queries.rows<ApiKeyRow>(
        `${withUses} WHERE account = $1 OR $1 IS NULL ORDER BY created_at, id`,
        [account ?? null],
      );
      return rows.map(toApiKey);
    });
  }

  /**
   * Revokes a key; other machines refuse it within a second. Does nothing to a revoked one. Null if there is no such
   * key (of this account, if given).
   */
  revokeKey(id: string, account?: string): Promise<ApiKey | null> {
    return this.#change(async (queries) => {
      const row = await this.#key(queries, id);
      if (row === undefined || (account !== undefined && row.account !== account)) return null;
      const changes = await queries.run(
        'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL',
        [this.#options.clock.now(), id],
      );
      const details = { account: row.account };
      if (changes > 0) await this.#note(queries, { act: 'key.revoke', subject: id, details });
      const revoked = await this.#key(queries, id);
      return revoked === undefined ? null : toApiKey(revoked);
    });
  }

  /**
   * Sets what a key may spend per calendar month; null removes the limit. Applies from the next charge, on other
   * machines within a second. Null if there is no such key (of this account, if given). Rejects `invalid_parameter`.
   */
  async limitKey(id: string, monthlyCredits: number | null, account?: string): Promise<ApiKey | null> {
    checkKeyLimit(monthlyCredits);
    return this.#change(async (queries) => {
      const row = await this.#key(queries, id);
      if (row === undefined || (account !== undefined && row.account !== account)) return null;
      const changes = await queries.run(
        'UPDATE api_keys SET monthly_credits = $1 WHERE id = $2 AND monthly_credits IS DISTINCT FROM $1',
        [monthlyCredits, id],
      );
      const details = { account: row.account, monthly_credits: monthlyCredits };
      if (changes > 0) await this.#note(queries, { act: 'key.limit', subject: id, details });
      const limited = await this.#key(queries, id);
      return limited === undefined ? null : toApiKey(limited);
    });
  }

  /** Returns the owner of a key. Rejects `invalid_api_key`, or `revoked_api_key` if it was revoked or has expired. */
  authenticate(secret: string): Promise<KeyOwner> {
    return this.#cache.authenticate(secret);
  }

  /**
   * Deletes an account in one transaction: cancels its jobs and open orders, ends its sessions and keys, and forfeits
   * its credits. Its address can be used again, without a second trial. The rows of the ledger stay, under the id
   * alone. Rejects `invalid_parameter` if there is no such account.
   */
  delete(account: string): Promise<void> {
    const { users, rows, clock } = this.#options;
    return this.#change(async (queries) => {
      const user = await users.lock(queries, account);
      // First, because cancelled jobs refund credits, which the account then forfeits.
      for (const one of rows) await one.deleteAccount(queries, user);
      await users.delete(queries, user, clock.now());
    });
  }

  /** Deletes the oldest ended keys. Creating and revoking keys is free, so their number is limited. */
  async #forgetEnded(queries: Queries, account: string, now: number): Promise<void> {
    const rows = await queries.rows<{ readonly id: string }>(
      `SELECT id FROM api_keys WHERE account = $1 AND (revoked_at IS NOT NULL OR expires_at <= $2)
       ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
      [account, now, maxForgotten, maxEndedKeys],
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await queries.run(`DELETE FROM key_uses WHERE key ${queries.dialect.anyOf('$1')}`, [ids]);
    await queries.run(`DELETE FROM api_keys WHERE id ${queries.dialect.anyOf('$1')}`, [ids]);
  }

  #key(queries: Queries, id: string): Promise<ApiKeyRow | undefined> {
    return queries.first<ApiKeyRow>(`${withUses} WHERE id = $1`, [id]);
  }

  async #note(queries: Queries, act: Act): Promise<void> {
    await this.#options.audit?.append(queries, act);
  }

  async #change<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    try {
      return await this.#options.database.transaction(work);
    } finally {
      // Even if a lost connection leaves the outcome unknown.
      this.#cache.invalidate();
    }
  }
}
