import type { Database } from '../../database/sqlite/driver.js';

interface BalanceRow {
  readonly balance: number;
  readonly bought: number;
}

/**
 * The table of balances, and the only code that writes to it. Each change goes into the transaction that writes the
 * row it is made for. Throws for a change that would take a balance below zero, or above what is counted exactly.
 */
export class Balances {
  readonly #select;
  readonly #open;
  readonly #add;
  readonly #markBought;
  readonly #take;

  constructor(db: Database) {
    this.#select = db.prepare<[string], BalanceRow>('SELECT balance, bought FROM balances WHERE id = ?');
    this.#open = db.prepare<[string, number]>(
      'INSERT OR IGNORE INTO balances (id, balance, bought, created_at) VALUES (?, 0, 0, ?)',
    );
    this.#add = db.prepare<[number, string]>('UPDATE balances SET balance = balance + ? WHERE id = ?');
    this.#markBought = db.prepare<[string]>('UPDATE balances SET bought = 1 WHERE id = ?');
    this.#take = db
      .prepare<[number, string, number, number], number>(
        `UPDATE balances SET balance = balance - ? WHERE id = ? AND balance >= ? AND bought >= ?
         RETURNING balance`,
      )
      .pluck();
  }

  /** An account that is not there has nothing. */
  of(account: string): { readonly credits: number; readonly bought: boolean } {
    const row = this.#select.get(account);
    return { credits: row?.balance ?? 0, bought: row?.bought === 1 };
  }

  /** Makes the account's row where there is none; `at` is in milliseconds since 1970. */
  open(account: string, at: number): void {
    this.#open.run(account, at);
  }

  /** Adds credits; fewer than zero are taken. */
  add(account: string, credits: number): void {
    if (credits !== 0) this.#add.run(credits, account);
  }

  /** The account has bought a pack. */
  markBought(account: string): void {
    this.#markBought.run(account);
  }

  /** Takes credits where they are there, with a bought pack if that is needed; gives the new balance, or null. */
  take(account: string, credits: number, needsPack: boolean): number | null {
    const left = this.#take.get(credits, account, credits, needsPack ? 1 : 0);
    if (left !== undefined) return left;
    // An account that is not there can pay for what costs nothing.
    return credits === 0 && !needsPack ? 0 : null;
  }
}
