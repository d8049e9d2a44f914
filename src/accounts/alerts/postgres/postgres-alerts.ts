import type { Postgres } from '../../../../lib/postgres/postgres.js';
import type { Queries } from '../../../../lib/postgres/queries.js';
import type { PostgresSchema } from '../../../../lib/postgres/table-schema.js';
import type { AccountMoney } from '../../postgres/account-money.js';
import type { AccountRows } from '../../postgres/postgres-accounts.js';
import {
  type AlertRow,
  changedAlerts,
  checkThreshold,
  isLookedAt,
  leaseMs,
  pauseAfter,
} from '../alert-row.js';
import type { Alerts, DueAlert } from '../alerts.js';

/**
 * Thresholds below which an account is alerted. `sent_at` is set from the mail until the balance is above again. `due_at`
 * is when the next try may be made. A process that is at it puts that into the future. Milliseconds since 1970.
 */
export const alertsSchema: PostgresSchema = {
  name: 'alerts',
  steps: [
    `
    CREATE TABLE alerts (
      account text COLLATE "C" PRIMARY KEY,
      threshold bigint NOT NULL CHECK (threshold > 0),
      sent_at bigint,
      due_at bigint NOT NULL DEFAULT 0,
      tries integer NOT NULL DEFAULT 0
    );
    `,
  ],
  imports: { tables: [{ table: 'alerts' }] },
};

/** Balance alerts in PostgreSQL, so that of several processes one sends each mail. */
export class PostgresAlerts implements Alerts, AccountRows {
  readonly #postgres: Postgres;
  readonly #money: AccountMoney;

  constructor(postgres: Postgres, money: AccountMoney) {
    this.#postgres = postgres;
    this.#money = money;
  }

  async readThreshold(account: string): Promise<number | null> {
    const row = await this.#postgres.read((queries) =>
      queries.first<{ readonly threshold: number }>('SELECT threshold FROM alerts WHERE account = $1', [
        account,
      ]),
    );
    return row?.threshold ?? null;
  }

  async setThreshold(account: string, credits: number | null): Promise<void> {
    checkThreshold(credits);
    await this.#postgres.write((queries) =>
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

  async claim(now: number): Promise<readonly DueAlert[]> {
    const found = await this.#postgres.read((queries) => this.#changed(queries, now, ''));
    if (found.due.length === 0 && found.risen.length === 0) return [];
    return this.#postgres.transaction(async (queries) => {
      // What another process is at is its own.
      const { due, risen } = await this.#changed(queries, now, 'FOR UPDATE SKIP LOCKED');
      await queries.run('UPDATE alerts SET sent_at = NULL, due_at = 0 WHERE account = ANY ($1)', [risen]);
      for (const alert of due) await put(queries, alert, null, now + leaseMs, alert.tries);
      return due;
    });
  }

  async settle(alert: DueAlert, sent: boolean, now: number): Promise<void> {
    await this.#postgres.write((queries) =>
      sent
        ? put(queries, alert, now, 0, 0)
        : put(queries, alert, null, now + pauseAfter(alert.tries), alert.tries + 1),
    );
  }

  /** Deletes the alert of an account. */
  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    await queries.run('DELETE FROM alerts WHERE account = $1', [account]);
  }

  /** Alerts that are due now, and accounts whose balance has risen again since their mail. */
  async #changed(queries: Queries, now: number, lock: 'FOR UPDATE SKIP LOCKED' | '') {
    const all = await queries.rows<AlertRow>(`SELECT * FROM alerts ORDER BY account ${lock}`);
    const rows = all.filter((row) => isLookedAt(row, now));
    const accounts = rows.map(({ account }) => account);
    if (accounts.length === 0) return { due: [], risen: [] };
    const balances = await this.#money.balances(queries, accounts);
    const users = await queries.rows<{ readonly account: string; readonly email: string }>(
      'SELECT account, email FROM users WHERE account = ANY ($1)',
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

/** Writes how an alert stands; nothing where its threshold has changed meanwhile. */
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
