import { ulid } from 'ulid';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Platform } from '../../../lib/platforms.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { Account, Accounts, ApiKey, KeyHolder, NewAccount, NewKey } from '../accounts.js';
import { digestOf, newSecret } from '../api-key.js';
import { emailAddress } from '../email-address.js';
import { ApiKeyCache } from './api-key-cache.js';
import type { UserRow, Users } from './users.js';

interface KeyRow {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly platforms: string | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** Active keys of an account at most. */
const mostKeys = 10;

const nameForm = z.string().trim().min(1).max(100);
const iso = (time: number) => new Date(time).toISOString();

function shownKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    account: row.account,
    name: row.name,
    platforms: row.platforms === null ? null : (JSON.parse(row.platforms) as Platform[]),
    created_at: iso(row.created_at),
    revoked_at: row.revoked_at === null ? null : iso(row.revoked_at),
  };
}

/** Accounts in the file of the ledger: what they are granted moves in the transaction that says why. */
export class SqliteAccounts implements Accounts {
  readonly #books: LedgerDatabase;
  readonly #clock: Clock;
  readonly #holders: Users;
  readonly #ring: ApiKeyCache;
  readonly #sql;

  constructor(books: LedgerDatabase, clock: Clock, holders: Users) {
    const { db } = books;
    this.#books = books;
    this.#clock = clock;
    this.#holders = holders;
    this.#ring = new ApiKeyCache(db);
    this.#sql = {
      keys: db.prepare<[string | null, string | null], KeyRow>(
        'SELECT * FROM api_keys WHERE account = ? OR ? IS NULL ORDER BY created_at, id',
      ),
      key: db.prepare<[string], KeyRow>('SELECT * FROM api_keys WHERE id = ?'),
      active: db
        .prepare<[string], number>('SELECT count(*) FROM api_keys WHERE account = ? AND revoked_at IS NULL')
        .pluck(),
      insertKey: db.prepare<[string, string, string, Buffer, string | null, number]>(
        'INSERT INTO api_keys (id, account, name, digest, platforms, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      ),
      revoke: db.prepare<[number, string]>(
        'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
      ),
    };
  }

  async create({ email, verified, credits }: NewAccount): Promise<Account> {
    const address = emailAddress(email);
    return this.#write(() => {
      if (this.#holders.byEmail(address) !== undefined) {
        throw new ExtractError('invalid_parameter', `There is an account for ${address} already.`);
      }
      const now = this.#clock.now();
      const id = this.#holders.open(address, now);
      if (verified) this.#holders.confirm(id, now);
      if (credits > 0) {
        const grant = { id: `pack_${ulid(now)}`, account: id, credits, at: iso(now) };
        this.#books.postings.grant({ ...grant, kind: 'pack' });
      }
      return this.#account(id);
    });
  }

  async find(email: string): Promise<Account | null> {
    const row = this.#holders.byEmail(email.trim().toLowerCase());
    return row === undefined ? null : this.#shown(row);
  }

  async list(): Promise<readonly Account[]> {
    return this.#holders.all().map((row) => this.#shown(row));
  }

  verify(account: string): Promise<Account> {
    return this.#write(() => {
      this.#holders.confirm(account, this.#clock.now());
      return this.#account(account);
    });
  }

  async createKey({ account, name, platforms }: NewKey): Promise<{ key: ApiKey; secret: string }> {
    const { success, data: label } = nameForm.safeParse(name);
    if (!success) {
      throw new ExtractError('invalid_parameter', 'The name of a key must be a text of 1 to 100 characters.');
    }
    return this.#write(() => {
      this.#account(account);
      if ((this.#sql.active.get(account) ?? 0) >= mostKeys) throw new ExtractError('key_limit_reached');
      const now = this.#clock.now();
      const id = `key_${ulid(now)}`;
      const secret = newSecret();
      const limits = platforms === null ? null : JSON.stringify([...new Set(platforms)]);
      this.#sql.insertKey.run(id, account, label, digestOf(secret), limits, now);
      return { key: shownKey(this.#sql.key.get(id) as KeyRow), secret };
    });
  }

  async keys(account?: string): Promise<readonly ApiKey[]> {
    return this.#sql.keys.all(account ?? null, account ?? null).map(shownKey);
  }

  revokeKey(id: string, account?: string): Promise<ApiKey | null> {
    return this.#write(() => {
      const row = this.#sql.key.get(id);
      if (row === undefined || (account !== undefined && row.account !== account)) return null;
      this.#sql.revoke.run(this.#clock.now(), id);
      return shownKey(this.#sql.key.get(id) as KeyRow);
    });
  }

  holderOf(secret: string): KeyHolder {
    return this.#ring.holderOf(secret);
  }

  /** Deletes an account. Rejects `invalid_parameter` when there is none. */
  delete(account: string): Promise<void> {
    return this.#write(() => this.#holders.delete(account, this.#clock.now()));
  }

  async #write<T>(work: () => T): Promise<T> {
    const value = await this.#books.write(work);
    this.#ring.changed();
    return value;
  }

  #account(id: string): Account {
    return this.#shown(this.#holders.byId(id));
  }

  #shown(row: UserRow): Account {
    const { credits, bought } = this.#books.postings.balance(row.account);
    return {
      id: row.account,
      email: row.email,
      verified: row.verified_at !== null,
      created_at: iso(row.created_at),
      credits,
      bought,
    };
  }
}
