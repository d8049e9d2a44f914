import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import type { TableSchema } from '../../../../lib/database/table-schema.js';
import type { AccountMoney } from '../account-money.js';
import type { AccountRows } from '../account-store.js';
import {
  type AlertRow,
  changedAlerts,
  checkThreshold,
  type DueAlert,
  leaseMs,
  maxClaimed,
  needsCheck,
  pauseAfter,
} from './alert-row.js';

/**
 * Balance thresholds. `sent_at` is set from the mail until the balance rises again. `due_at` is the time of the next
 * attempt, in the future while a process makes one. Milliseconds since 1970.
 */
export const alertsSchema: TableSchema = {
  name: 'alerts',
  tables: ({ id, integer, end }) => `
    CREATE TABLE alerts (
      account ${id} PRIMARY KEY,
      threshold ${integer} NOT NULL CHECK (threshold > 0),
      sent_at ${integer},
      due_at ${integer} NOT NULL DEFAULT 0,
      tries ${integer} NOT NULL DEFAULT 0
    ) ${end};
  `,
  directory: {
    version: 2,
    released: 1,
    // No foreign key to the users: accounts are deleted by a method.
    upgrade: () => `
      CREATE TABLE alerts_alone (
        account TEXT PRIMARY KEY,
        threshold INTEGER NOT NULL CHECK (threshold > 0),
        sent_at INTEGER,
        due_at INTEGER NOT NULL DEFAULT 0,
        tries INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID;
      INSERT INTO alerts_alone SELECT * FROM alerts;
      DROP TABLE alerts;
      ALTER TABLE alerts_alone RENAME TO alerts;
    `,
  },
  imports: { tables: [{ table: 'alerts' }] },
};

/** Balance alerts. Of several processes, exactly one sends each mail. */
export class AlertStore implements AccountRows {
  readonly #database: Database;
  readonly #money: AccountMoney;

  constructor(database: Database, money: AccountMoney) {
    this.#database = database;
    this.#money = money;
  }

  /** Returns the threshold in credits; null for none. */
  async readThreshold(account: string): Promise<number | null> {
    const row = await this.#database.read((queries) =>
      queries.first<{ readonly threshold: number }>('SELECT threshold FROM alerts WHERE account = $1', [
        account,
      ]),
    );
    return row?.threshold ?? null;
  }

  /**
   * Sets the threshold. If the balance is already below, the alert is due immediately. Rejects `invalid_parameter` for
   * an invalid number of credits.
   */
  async setThreshold(account: string, credits: number | null): Promise<void> {
    checkThreshold(credits);
    await this.#database.write((queries) =>
      credits === null
        ? queries.run('DELETE FROM alerts WHERE account = $1', [account])
        : queries.run(
            `INSERT INTO alerts (account, threshold) VALUES ($1, $2)
             ON CONFLICT (account) DO UPDATE
               SET threshold = excluded.threshold, sent_at = NULL, due_at = 0, tries = 0
             WHERE alerts.threshold <> excluded.threshold`,
            [account, credits],
          ),
    );
  }

  /** Claims some of the due alerts exclusively for this process. Writes nothing if there are none. */
  async claim(now: number): Promise<readonly DueAlert[]> {
    const changes = await this.#database.read((queries) => this.#changed(queries, now, ''));
    if (changes.due.length === 0 && changes.risen.length === 0) return [];
    return this.#database.transaction(async (queries) => {
      // Skips mails that another process is sending.
      const { due, risen } = await this.#changed(queries, now, queries.dialect.forUpdateSkipLocked);
      await queries.run(
        `UPDATE alerts SET sent_at = NULL, due_at = 0 WHERE account ${queries.dialect.anyOf('$1')}`,
        [risen],
      );
      const claimed = due.slice(0, maxClaimed);
      for (const alert of claimed) await put(queries, alert, null, now + leaseMs, alert.tries);
      return claimed;
    });
  }

  /** Ends a claim: the mail was sent, or the next attempt is scheduled, later each time. */
  async settle(alert: DueAlert, isSent: boolean, now: number): Promise<void> {
    await this.#database.write((queries) =>
      isSent
        ? put(queries, alert, now, 0, 0)
        : put(queries, alert, null, now + pauseAfter(alert.tries), alert.tries + 1),
    );
  }

  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    await queries.run('DELETE FROM alerts WHERE account = $1', [account]);
  }

  async #changed(queries: Queries, now: number, lock: string) {
    const all = await queries.rows<AlertRow>(`SELECT * FROM alerts ORDER BY account ${lock}`);
    const rows = all.filter((row) => needsCheck(row, now));
    const accounts = rows.map(({ account }) => account);
    if (accounts.length === 0) return { due: [], risen: [] };
    const balances = await this.#money.balances(queries, accounts);
    const users = await queries.rows<{ readonly account: string; readonly email: string }>(
      `SELECT account, email FROM users WHERE account ${queries.dialect.anyOf('$1')}`,
      [accounts],
    );
    const emails = new Map(users.map(({ account, email }) => [account, email]));
    return changedAlerts(
      rows,
      (account) => balances.get(account)?.credits ?? 0,
      (account) => emails.get(account),
    );
  }
}

/** Writes the state of an alert, unless its threshold has changed meanwhile. */
async function put(
  queries: Queries,
  { account, threshold }: DueAlert,
  sentAt: number | null,
  dueAt: number,
  tries: number,
): Promise<void> {
  await queries.run(
    'UPDATE alerts SET sent_at = $1, due_at = $2, tries = $3 WHERE account = $4 AND threshold = $5',
    [sentAt, dueAt, tries, account, threshold],
  );
}
