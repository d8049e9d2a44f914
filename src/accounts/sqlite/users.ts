import { ulid } from 'ulid';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { KeyedDigest } from '../keyed-digest.js';

export interface UserRow {
  readonly account: string;
  readonly email: string;
  readonly verified_at: number | null;
  readonly created_at: number;
}

/** The endpoint under which the ledger keeps what a deleted account had left. */
const forfeited = 'account/deleted';

/**
 * Who has an account, and what confirming an address or deleting one does to the money. What writes is to be run
 * inside a transaction, like the entries of the ledger.
 */
export class Users {
  readonly #books: LedgerDatabase;
  readonly #digest: KeyedDigest;
  readonly #trialCredits: number;
  readonly #sql;

  constructor(books: LedgerDatabase, digest: KeyedDigest, trialCredits: number) {
    const { db } = books;
    this.#books = books;
    this.#digest = digest;
    this.#trialCredits = trialCredits;
    this.#sql = {
      all: db.prepare<[], UserRow>('SELECT * FROM holders ORDER BY created_at, account'),
      byEmail: db.prepare<[string], UserRow>('SELECT * FROM holders WHERE email = ?'),
      byId: db.prepare<[string], UserRow>('SELECT * FROM holders WHERE account = ?'),
      open: db.prepare<[string, string, number]>(
        'INSERT INTO holders (account, email, created_at) VALUES (?, ?, ?)',
      ),
      confirm: db.prepare<[number, string]>(
        'UPDATE holders SET verified_at = ? WHERE account = ? AND verified_at IS NULL',
      ),
      isFormer: db
        .prepare<[Buffer], number>('SELECT count(*) FROM former_addresses WHERE digest = ?')
        .pluck(),
      noteFormer: db.prepare<[Buffer, number]>(
        'INSERT OR IGNORE INTO former_addresses (digest, deleted_at) VALUES (?, ?)',
      ),
      deleteKeys: db.prepare<[string]>('DELETE FROM api_keys WHERE account = ?'),
      delete: db.prepare<[string]>('DELETE FROM holders WHERE account = ?'),
    };
  }

  all(): readonly UserRow[] {
    return this.#sql.all.all();
  }

  byEmail(email: string): UserRow | undefined {
    return this.#sql.byEmail.get(email);
  }

  /** Throws `invalid_parameter` when there is none. */
  byId(account: string): UserRow {
    const row = this.#sql.byId.get(account);
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
    this.#books.postings.grant({
      ...{ id: `trial_${account}`, account, credits: this.#trialCredits },
      ...{ kind: 'trial', at: new Date(now).toISOString() },
    });
  }

  /**
   * Deletes an account with its keys and all that hangs on it. Its rows in the ledger stay, under the id alone, and
   * what it had left is charged, so that the sum is right and nothing is left to spend.
   */
  delete(account: string, now: number): void {
    const { email, verified_at } = this.byId(account);
    if (verified_at !== null) this.#sql.noteFormer.run(this.#former(email), now);
    const { postings, owner } = this.#books;
    const { credits } = postings.balance(account);
    if (credits > 0) {
      const charge = {
        id: `forfeit_${account}`,
        account,
        endpoint: forfeited,
        credits,
        needsPack: false,
        at: now,
      };
      postings.pay(charge, owner, now);
    }
    this.#sql.deleteKeys.run(account);
    this.#sql.delete.run(account);
  }

  #former(email: string): Buffer {
    return this.#digest('former address', email);
  }
}
