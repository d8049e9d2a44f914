import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Users } from '../../sqlite/users.js';
import {
  type AlertRow,
  changedAlerts,
  checkThreshold,
  isLookedAt,
  leaseMs,
  pauseAfter,
} from '../alert-row.js';
import type { Alerts, DueAlert } from '../alerts.js';

/** Balance alerts in the file of the ledger, so that of several processes one sends each mail. */
export class SqliteAlerts implements Alerts {
  readonly #database: LedgerDatabase;
  readonly #users: Users;
  readonly #sql;

  constructor(database: LedgerDatabase, users: Users) {
    const { db } = database;
    this.#database = database;
    this.#users = users;
    this.#sql = {
      threshold: db.prepare<[string], number>('SELECT threshold FROM alerts WHERE account = ?').pluck(),
      set: db.prepare<[string, number]>(
        `INSERT INTO alerts (account, threshold) VALUES (?, ?)
         ON CONFLICT (account) DO UPDATE SET threshold = excluded.threshold, sent_at = NULL, due_at = 0, tries = 0
         WHERE threshold <> excluded.threshold`,
      ),
      remove: db.prepare<[string]>('DELETE FROM alerts WHERE account = ?'),
      all: db.prepare<[], AlertRow>('SELECT * FROM alerts'),
      rearm: db.prepare<[string]>('UPDATE alerts SET sent_at = NULL, due_at = 0 WHERE account = ?'),
      put: db.prepare<[number | null, number, number, string, number]>(
        'UPDATE alerts SET sent_at = ?, due_at = ?, tries = ? WHERE account = ? AND threshold = ?',
      ),
    };
  }

  readThreshold(account: string): Promise<number | null> {
    return this.#database.read(() => this.#sql.threshold.get(account) ?? null);
  }

  async setThreshold(account: string, credits: number | null): Promise<void> {
    checkThreshold(credits);
    await this.#database.write(() => {
      if (credits === null) this.#sql.remove.run(account);
      else this.#sql.set.run(account, credits);
    });
  }

  async claim(now: number): Promise<readonly DueAlert[]> {
    const found = await this.#database.read(() => this.#changed(now));
    if (found.due.length === 0 && found.risen.length === 0) return [];
    return this.#database.write(() => {
      const { due, risen } = this.#changed(now);
      for (const account of risen) this.#sql.rearm.run(account);
      for (const { account, threshold, tries } of due) {
        this.#sql.put.run(null, now + leaseMs, tries, account, threshold);
      }
      return due;
    });
  }

  async settle({ account, threshold, tries }: DueAlert, sent: boolean, now: number): Promise<void> {
    const pause = pauseAfter(tries);
    await this.#database.write(() => {
      if (sent) this.#sql.put.run(now, 0, 0, account, threshold);
      else this.#sql.put.run(null, now + pause, tries + 1, account, threshold);
    });
  }

  /** Deletes the alert of an account; inside a transaction. */
  deleteAccount({ account }: { readonly account: string }): void {
    this.#sql.remove.run(account);
  }

  /** Alerts that are due now, and accounts whose balance has risen again since their mail. */
  #changed(now: number): { readonly due: readonly DueAlert[]; readonly risen: readonly string[] } {
    return changedAlerts(
      this.#sql.all.all().filter((row) => isLookedAt(row, now)),
      (account) => this.#database.entries.balance(account).credits,
      (account) => this.#users.find(account)?.email,
    );
  }
}
