import type { Database } from '../../database/sqlite/driver.js';
import type { SumChange } from '../unit-of-work.js';

/** The sums of ended calls by day, endpoint and key, changed in the transactions that end them. */
export class UsageSums {
  readonly #add;

  constructor(db: Database) {
    this.#add = db.prepare<[string, number, string, string, number, number, number]>(
      `INSERT INTO usage_sums (account, day, endpoint, key_id, calls, failed, credits) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account, day, endpoint, key_id) DO UPDATE SET calls = calls + excluded.calls,
         failed = failed + excluded.failed, credits = credits + excluded.credits`,
    );
  }

  add(changes: readonly SumChange[]): void {
    for (const { account, day, endpoint, key, calls, failed, credits } of changes) {
      this.#add.run(account, day, endpoint, key, calls, failed, credits);
    }
  }
}
