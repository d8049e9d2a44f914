import type { Database } from '../../database/sqlite/driver.js';
import type { KeyDue } from '../dues.js';
import { monthOf } from '../key-limit.js';

/**
 * The charges of each key in each month, refunds deducted. Each change goes into the transaction of its row. Calls at
 * the same moment cannot pass a limit together.
 */
export class KeyMonths {
  readonly #take;
  readonly #add;
  readonly #spent;

  constructor(db: Database) {
    this.#take = db.prepare<[string, string, number, number]>(
      `INSERT INTO key_months (key_id, month, credits) VALUES (?, ?, ?)
       ON CONFLICT (key_id, month) DO UPDATE SET credits = credits + excluded.credits
         WHERE credits + excluded.credits <= ?`,
    );
    this.#add = db.prepare<[number, string, string]>(
      'UPDATE key_months SET credits = credits + ? WHERE key_id = ? AND month = ?',
    );
    this.#spent = db
      .prepare<[string, string], number>('SELECT credits FROM key_months WHERE key_id = ? AND month = ?')
      .pluck();
  }

  /** The charges of a key in the month of `at`. */
  spent(key: string, at: number): number {
    return this.#spent.get(key, monthOf(at)) ?? 0;
  }

  /** Counts a charge in the month of `at`; false, with nothing changed, where that would pass the key's limit. */
  take({ key, credits, limit }: KeyDue, at: number): boolean {
    return credits <= limit && this.#take.run(key, monthOf(at), credits, limit).changes === 1;
  }

  /** Adds credits to a month; fewer than zero were counted before, and are taken back. */
  add(key: string, month: string, credits: number): void {
    if (credits < 0) this.#add.run(credits, key, month);
    else if (credits > 0) this.#take.run(key, month, credits, Number.MAX_SAFE_INTEGER);
  }
}
