import { ulid } from 'ulid';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import {
  type Account,
  type AccountPage,
  type Accounts,
  type ApiKey,
  type KeyOwner,
  maxActiveKeys,
  maxEndedKeys,
  type NewAccount,
  type NewKey,
} from '../accounts.js';
import { digestOf, newSecret } from '../api-key.js';
import { type ApiKeyRow, checkKeyLimit, checkNewKey, platformsText, toApiKey } from '../api-key-row.js';
import { emailAddress } from '../email-address.js';
import { toAccount, type UserRow } from '../user-row.js';
import { ApiKeyCache } from './api-key-cache.js';
import { KeyUses } from './key-uses.js';
import type { Users } from './users.js';

const iso = (time: number) => new Date(time).toISOString();
const withUses = 'SELECT api_keys.*, used_at FROM api_keys LEFT JOIN key_uses ON key = id';

/** A store with rows of an account. It deletes or ends them in the transaction that deletes the account. */
export interface AccountRows {
  deleteAccount(user: UserRow): void;
}

/** Accounts in the file of the ledger: what they are granted moves in the transaction that says why. */
export class SqliteAccounts implements Accounts {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #users: Users;
  readonly #rows: readonly AccountRows[];
  readonly #cache: ApiKeyCache;
  readonly #sql;

  /** `rows`: the other stores that keep rows of an account. */
  constructor(database: LedgerDatabase, clock: Clock, users: Users, rows: readonly AccountRows[]) {
    const { db } = database;
    this.#database = database;
    this.#clock = clock;
    this.#users = users;
    this.#rows = rows;
    this.#cache = new ApiKeyCache(db, clock, new KeyUses(database));
    this.#sql = {
      keys: db.prepare<[string | null, string | null], ApiKeyRow>(
        `${withUses} WHERE account = ? OR ? IS NULL ORDER BY created_at, id`,
      ),
      key: db.prepare<[string], ApiKeyRow>(`${withUses} WHERE id = ?`),
      active: db
        .prepare<[string, number], number>(
          `SELECT count(*) FROM api_keys
           WHERE account = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
        )
        .pluck(),
      insertKey: db.prepare<(string | number | Buffer | null)[]>(
        `INSERT INTO api_keys (id, account, name, digest, platforms, created_at, last_four, expires_at, monthly_credits)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      ended: db
        .prepare<[string, number, number], string>(
          `SELECT id FROM api_keys WHERE account = ? AND (revoked_at IS NOT NULL OR expires_at <= ?)
           ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?`,
        )
        .pluck(),
      deleteKey: db.prepare<[string]>('DELETE FROM api_keys WHERE id = ?'),
      deleteUse: db.prepare<[string]>('DELETE FROM key_uses WHERE key = ?'),
      revoke: db.prepare<[number, string]>(
        'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
      ),
      limit: db.prepare<[number | null, string]>('UPDATE api_keys SET monthly_credits = ? WHERE id = ?'),
    };
  }

  async create({ email, verified, credits }: NewAccount): Promise<Account> {
    const address = emailAddress(email);
    return this.#write(() => {
      if (this.#users.byEmail(address) !== undefined) {
        throw new ExtractError('invalid_parameter', `There is an account for ${address} already.`);
      }
      const now = this.#clock.now();
      const id = this.#users.open(address, now);
      if (verified) this.#users.confirm(id, now);
      if (credits > 0) {
        const grant = { id: `pack_${ulid(now)}`, account: id, credits, at: iso(now) };
        this.#database.entries.grant({ ...grant, kind: 'pack' });
      }
      return this.#account(id);
    });
  }

  find(email: string): Promise<Account | null> {
    return this.#database.read(() => this.#toAccountOrNull(this.#users.byEmail(email.trim().toLowerCase())));
  }

  get(id: string): Promise<Account | null> {
    return this.#database.read(() => this.#toAccountOrNull(this.#users.find(id)));
  }

  list(): Promise<readonly Account[]> {
    return this.#database.read(() => this.#users.all().map((row) => this.#toAccount(row)));
  }

  listPage(search: string, limit: number, before: string | undefined): Promise<AccountPage> {
    return this.#database.read(() => {
      const rows = this.#users.page(search, limit + 1, before);
      const accounts = rows.slice(0, limit).map((row) => this.#toAccount(row));
      return { accounts, next: rows.length > limit ? (accounts.at(-1)?.id ?? null) : null };
    });
  }

  count(): Promise<number> {
    return this.#database.read(() => this.#users.count());
  }

  verify(account: string): Promise<Account> {
    return this.#write(() => {
      this.#users.confirm(account, this.#clock.now());
      return this.#account(account);
    });
  }

  async createKey(key: NewKey): Promise<{ key: ApiKey; secret: string }> {
    const label = checkNewKey(key, this.#clock.now());
    const { account, expiresAt, monthlyCredits = null } = key;
    return this.#write(() => {
      this.#account(account);
      const now = this.#clock.now();
      if ((this.#sql.active.get(account, now) ?? 0) >= maxActiveKeys) {
        throw new ExtractError('key_limit_reached');
      }
      const id = `key_${ulid(now)}`;
      const secret = newSecret();
      const limits = platformsText(key);
      const lastFour = secret.slice(-4);
      this.#sql.insertKey.run(
        ...[id, account, label, digestOf(secret), limits, now, lastFour, expiresAt ?? null, monthlyCredits],
      );
      // Making keys and revoking them costs nothing: the rows of those that ended have a bound.
      for (const old of this.#sql.ended.all(account, now, maxEndedKeys)) {
        this.#sql.deleteUse.run(old);
        this.#sql.deleteKey.run(old);
      }
      return { key: toApiKey(this.#sql.key.get(id) as ApiKeyRow), secret };
    });
  }

  listKeys(account?: string): Promise<readonly ApiKey[]> {
    return this.#database.read(() => this.#sql.keys.all(account ?? null, account ?? null).map(toApiKey));
  }

  revokeKey(id: string, account?: string): Promise<ApiKey | null> {
    return this.#write(() => {
      const row = this.#sql.key.get(id);
      if (row === undefined || (account !== undefined && row.account !== account)) return null;
      this.#sql.revoke.run(this.#clock.now(), id);
      return toApiKey(this.#sql.key.get(id) as ApiKeyRow);
    });
  }

  async limitKey(id: string, monthlyCredits: number | null, account?: string): Promise<ApiKey | null> {
    checkKeyLimit(monthlyCredits);
    return this.#write(() => {
      const row = this.#sql.key.get(id);
      if (row === undefined || (account !== undefined && row.account !== account)) return null;
      this.#sql.limit.run(monthlyCredits, id);
      return toApiKey(this.#sql.key.get(id) as ApiKeyRow);
    });
  }

  async authenticate(secret: string): Promise<KeyOwner> {
    return this.#cache.authenticate(secret);
  }

  delete(account: string): Promise<void> {
    return this.#write(() => {
      const user = this.#users.byId(account);
      // First: cancelled jobs give their credits back, which the account forfeits.
      for (const rows of this.#rows) rows.deleteAccount(user);
      this.#users.delete(user, this.#clock.now());
    });
  }

  async #write<T>(work: () => T): Promise<T> {
    const value = await this.#database.write(work);
    this.#cache.invalidate();
    return value;
  }

  #account(id: string): Account {
    return this.#toAccount(this.#users.byId(id));
  }

  #toAccountOrNull(row: UserRow | undefined): Account | null {
    return row === undefined ? null : this.#toAccount(row);
  }

  #toAccount(row: UserRow): Account {
    return toAccount(row, this.#database.entries.balance(row.account));
  }
}
