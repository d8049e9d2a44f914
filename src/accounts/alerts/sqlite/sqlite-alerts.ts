import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Alerts } from '../alerts.js';

/** An alert whose mail is to be sent. */
export interface DueAlert {
  readonly account: string;
  readonly email: string;
  readonly threshold: number;
  readonly balance: number;
  readonly tries: number;
}

const mostCredits = 1_000_000_000;
/** Milliseconds after which a try is taken for dead: the process that made it was killed. */
const leaseMs = 10 * 60_000;
const longestPauseMs = 3_600_000;

/** Balance alerts in the file of the ledger, so that of several processes one sends each mail. */
export class SqliteAlerts implements Alerts {
  readonly #books: LedgerDatabase;
  readonly #sql;

  constructor(books: LedgerDatabase) {
    const { db } = books;
    const from = 'FROM alerts JOIN balances ON balances.id = alerts.account';
    this.#books = books;
    this.#sql = {
      threshold: db.prepare<[string], number>('SELECT threshold FROM alerts WHERE account = ?').pluck(),
      set: db.prepare<[string, number]>(
        `INSERT INTO alerts (account, threshold) VALUES (?, ?)
         ON CONFLICT (account) DO UPDATE SET threshold = excluded.threshold, sent_at = NULL, due_at = 0, tries = 0
         WHERE threshold <> excluded.threshold`,
      ),
      remove: db.prepare<[string]>('DELETE FROM alerts WHERE account = ?'),
      risen: db
        .prepare<[], string>(`SELECT account ${from} WHERE sent_at IS NOT NULL AND balance >= threshold`)
        .pluck(),
      rearm: db.prepare<[string]>('UPDATE alerts SET sent_at = NULL, due_at = 0 WHERE account = ?'),
      due: db.prepare<[number], DueAlert>(
        `SELECT alerts.account, email, threshold, balance, tries ${from} JOIN holders USING (account)
         WHERE sent_at IS NULL AND balance < threshold AND due_at <= ?`,
      ),
      put: db.prepare<[number | null, number, number, string, number]>(
        'UPDATE alerts SET sent_at = ?, due_at = ?, tries = ? WHERE account = ? AND threshold = ?',
      ),
    };
  }

  async threshold(account: string): Promise<number | null> {
    return this.#sql.threshold.get(account) ?? null;
  }

  async setThreshold(account: string, credits: number | null): Promise<void> {
    if (credits !== null && (!Number.isSafeInteger(credits) || credits < 1 || credits > mostCredits)) {
      throw new ExtractError(
        'invalid_parameter',
        `The threshold must be a whole number from 1 to ${mostCredits} credits.`,
      );
    }
    await this.#books.write(() => {
      if (credits === null) this.#sql.remove.run(account);
      else this.#sql.set.run(account, credits);
    });
  }

  /** Takes the alerts that are to be sent now, each for this process alone. Reads only where there are none. */
  async claim(now: number): Promise<readonly DueAlert[]> {
    if (this.#sql.due.get(now) === undefined && this.#sql.risen.get() === undefined) return [];
    return this.#books.write(() => {
      for (const account of this.#sql.risen.all()) this.#sql.rearm.run(account);
      const due = this.#sql.due.all(now);
      for (const { account, threshold, tries } of due) {
        this.#sql.put.run(null, now + leaseMs, tries, account, threshold);
      }
      return due;
    });
  }

  /** The mail has left, or has not: then the next try is later each time. */
  async settle({ account, threshold, tries }: DueAlert, sent: boolean, now: number): Promise<void> {
    const pause = Math.min(longestPauseMs, 60_000 * 2 ** Math.min(tries, 10));
    await this.#books.write(() => {
      if (sent) this.#sql.put.run(now, 0, 0, account, threshold);
      else this.#sql.put.run(null, now + pause, tries + 1, account, threshold);
    });
  }
}
