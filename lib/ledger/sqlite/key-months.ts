import type { Database } from '../../sqlite/driver.js';
import { type ChargedKey, monthlyLimitReached, monthOf } from '../key-limit.js';

/** A sum that a key is to be charged. */
export interface KeyCharge {
  readonly key: ChargedKey;
  readonly credits: number;
  /** When it is charged, in milliseconds since 1970: the month that it counts for. */
  readonly at: number;
}

/**
 * What each key was charged in each month, without what was given back. Each change goes into the transaction of the
 * row that it is made for: calls at the same moment cannot pass a limit together.
 */
export class KeyMonths {
  readonly #take;
  readonly #giveBack;
  readonly #spent;

  constructor(db: Database) {
    this.#take = db.prepare<[string, string, number, number]>(
      `INSERT INTO key_months (key_id, month, credits) VALUES (?, ?, ?)
       ON CONFLICT (key_id, month) DO UPDATE SET credits = credits + excluded.credits
         WHERE credits + excluded.credits <= ?`,
    );
    this.#giveBack = db.prepare<[number, string, string]>(
      'UPDATE key_months SET credits = credits - ? WHERE key_id = ? AND month = ?',
    );
    this.#spent = db
      .prepare<[string, string], number>('SELECT credits FROM key_months WHERE key_id = ? AND month = ?')
      .pluck();
  }

  /** What a key was charged in the month of `at`. */
  spent(key: string, at: number): number {
    return this.#spent.get(key, monthOf(at)) ?? 0;
  }

  /** Throws `insufficient_credits` where so many credits more would pass the key's limit. */
  check({ key, credits, at }: KeyCharge, what: 'call' | 'job' = 'call'): void {
    const { monthlyCredits: limit, id, name } = key;
    // What costs nothing is no matter of a limit, one that was lowered below what is spent included.
    if (limit === null || limit === undefined || credits <= 0) return;
    const spent = this.spent(id, at);
    if (spent + credits > limit) throw monthlyLimitReached({ name, limit, spent, price: credits, at, what });
  }

  /** Counts a charge; false, with nothing changed, where that would pass the key's limit. */
  take({ key, credits, at }: KeyCharge): boolean {
    const limit = key.monthlyCredits ?? Number.MAX_SAFE_INTEGER;
    if (credits === 0) return true;
    return credits <= limit && this.#take.run(key.id, monthOf(at), credits, limit).changes === 1;
  }

  /** Takes back what was counted of a row that was charged at `at`. */
  giveBack(key: string | null, at: number, credits: number): void {
    if (key !== null && credits !== 0) this.#giveBack.run(credits, key, monthOf(at));
  }
}
