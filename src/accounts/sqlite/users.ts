import { ulid } from 'ulid';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { KeyedDigest } from '../digests.js';
import { forfeitedEndpoint, type UserRow } from '../user-row.js';

/**
 * The users and their accounts, and what confirming an address or deleting an account does to the money. Methods that
 * write must run inside a transaction, like the entries of the ledger.
 */
export class Users {
  readonly #database: LedgerDatabase;
  readonly #digest: KeyedDigest;
  readonly #trialCredits: number;
  readonly #sql;

  constructor(database: LedgerDatabase, digest: KeyedDigest, trialCredits: number) {
    const { db } = database;
    this.#database = database;
    this.#digest = digest;
    this.#trialCredits = trialCredits;
    this.#sql = {
      all: db.prepare<[], UserRow>('SELECT * FROM users ORDER BY created_at, account'),
      page: db.prepare<[string, string, number], UserRow>(
        'SELECT * FROM users WHERE account < ? AND instr(email, ?) > 0 ORDER BY account DESC LIMIT ?',
      ),
      count: db.prepare<[], number>('SELECT count(*) FROM users').pluck(),
      byEmail: db.prepare<[string], UserRow>('SELECT * FROM users WHERE email = ?'),
      byId: db.prepare<[string], UserRow>('SELECT * FROM users WHERE account = ?'),
      open: db.prepare<[string, string, number]>(
        'INSERT INTO users (account, email, created_at) VALUES (?, ?, ?)',
      ),
      confirm: db.prepare<[number, string]>(
        'UPDATE users SET verified_at = ? WHERE account = ? AND verified_at IS NULL',
      ),
      isFormer: db
        .prepare<[Buffer], number>('SELECT count(*) FROM former_addresses WHERE digest = ?')
        .pluck(),
      noteFormer: db.prepare<[Buffer, number]>(
        'INSERT OR IGNORE INTO former_addresses (digest, deleted_at) VALUES (?, ?)',
      ),
      deleteUses: db.prepare<[string]>(
        'DELETE FROM key_uses WHERE key IN (SELECT id FROM api_keys WHERE account = ?)',
      ),
      deleteKeys: db.prepare<[string]>('DELETE FROM api_keys WHERE account = ?'),
      delete: db.prepare<[string]>('DELETE FROM users WHERE account = ?'),
    };
  }

  all(): readonly UserRow[] {
    return this.#sql.all.all();
  }

  /** Users whose address contains a text, newest first, before the account of that id. */
  page(search: string, limit: number, before: string | undefined): readonly UserRow[] {
    // Ids begin with their time, and “~” is behind all of them.
    return this.#sql.page.all(before ?? '~', search.toLowerCase(), limit);
  }

  count(): number {
    return this.#sql.count.get() ?? 0;
  }

  byEmail(email: string): UserRow | undefined {
    return this.#sql.byEmail.get(email);
  }

  find(account: string): UserRow | undefined {
    return this.#sql.byId.get(account);
  }

  /** Throws `invalid_parameter` when there is none. */
  byId(account: string): UserRow {
    const row = this.find(account);
    if (row === undefined) throw new ExtractError('invalid_parameter', `There is no account ${account}.`);
    return row;
  }

  /** Opens an account for an address that has none; gives its id. */
  open(email: string, now: number): string {
    const account = `acct_${ulid(now)}`;
    this.#sql.open.run(account, email, now);
    return account;
  }

  /** Confirms the address; the first time, the trial comes with it, unless the address had one before. */
  confirm(account: string, now: number): void {
    if (this.#sql.confirm.run(now, account).changes === 0 || this.#trialCredits === 0) return;
    if (this.#sql.isFormer.get(this.#former(this.byId(account).email)) !== 0) return;
    this.#database.entries.grant({
      ...{ id: `trial_${account}`, account, credits: this.#trialCredits },
      ...{ kind: 'trial', at: new Date(now).toISOString() },
    });
  }

  /**
   * Deletes a user with their keys. The rows in the ledger stay, under the id alone, and what the account had left is
   * charged. The sum is right and nothing is left to spend.
   */
  delete({ account, email, verified_at }: UserRow, now: number): void {
    if (verified_at !== null) this.#sql.noteFormer.run(this.#former(email), now);
    const { entries, owner } = this.#database;
    const { credits } = entries.balance(account);
    if (credits > 0) {
      const charge = {
        id: `forfeit_${account}`,
        account,
        endpoint: forfeitedEndpoint,
        credits,
        needsPack: false,
        at: now,
      };
      entries.pay(charge, owner, now);
    }
    this.#sql.deleteUses.run(account);
    this.#sql.deleteKeys.run(account);
    this.#sql.delete.run(account);
  }

  #former(email: string): Buffer {
    return this.#digest('former address', email);
  }
}
