import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import { addToDay, type HealthDay } from '../health-day.js';
import { dayOf, type HealthDayRow, mailLeaseMs, mailRetryMs, rowOf } from '../health-day-row.js';
import type { CurrentHealth, FieldAlarm, HealthHistory, HealthNow, HealthStore } from '../health-store.js';
import { mergeHealth } from '../merge-health.js';

type AlarmRow = Omit<FieldAlarm, 'accepted'> & { readonly accepted: number };

const alarmColumns = 'endpoint, field, since, usual, share, answers, ended, accepted';

const alarmOf = (row: AlarmRow): FieldAlarm => ({ ...row, accepted: row.accepted === 1 });

/** The history of the endpoints in the file of the ledger. */
export class SqliteHealthStore implements HealthStore {
  readonly #database: LedgerDatabase;
  readonly #sql;

  constructor(database: LedgerDatabase) {
    const { db } = database;
    this.#database = database;
    this.#sql = {
      days: db.prepare<[string], HealthDayRow>(
        'SELECT * FROM health_days WHERE day >= ? ORDER BY day, endpoint',
      ),
      day: db.prepare<[string, string], HealthDayRow>(
        'SELECT * FROM health_days WHERE day = ? AND endpoint = ?',
      ),
      putDay: db.prepare<HealthDayRow>(
        'INSERT OR REPLACE INTO health_days VALUES (@day, @endpoint, @outcomes, @minutes, @answers, @filled)',
      ),
      current: db.prepare<[], string>('SELECT standing FROM health_now ORDER BY endpoint').pluck(),
      standing: db.prepare<[string], string>('SELECT standing FROM health_now WHERE endpoint = ?').pluck(),
      putState: db.prepare<[string, string]>('INSERT OR REPLACE INTO health_now VALUES (?, ?)'),
      alarms: db.prepare<[number], AlarmRow>(
        `SELECT ${alarmColumns} FROM health_alarms WHERE ended IS NULL OR ended >= ? ORDER BY since, endpoint, field`,
      ),
      raise: db.prepare<[string, string, number, number, number, number]>(
        `INSERT INTO health_alarms (endpoint, field, since, usual, share, answers) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING`,
      ),
      end: db.prepare<[number, number, string, string]>(
        'UPDATE health_alarms SET ended = ?, accepted = ? WHERE endpoint = ? AND field = ? AND ended IS NULL',
      ),
      due: db.prepare<[number], AlarmRow>(
        `SELECT ${alarmColumns} FROM health_alarms WHERE mailed = 0 AND ended IS NULL AND due <= ? ORDER BY since, endpoint, field`,
      ),
      mail: db.prepare<[number, number, string, string, number]>(
        'UPDATE health_alarms SET mailed = ?, due = ? WHERE endpoint = ? AND field = ? AND since = ?',
      ),
      sweepDays: db.prepare<[string]>('DELETE FROM health_days WHERE day < ?'),
      sweepAlarms: db.prepare<[number]>('DELETE FROM health_alarms WHERE ended < ?'),
    };
  }

  load(from: string): Promise<HealthHistory> {
    return this.#database.read(() => ({
      days: this.#sql.days.all(from).map(dayOf),
      ...this.#current(from),
    }));
  }

  current(from: string): Promise<CurrentHealth> {
    return this.#database.read(() => this.#current(from));
  }

  #current(from: string): CurrentHealth {
    return {
      now: this.#sql.current.all().map((text) => JSON.parse(text) as HealthNow),
      alarms: this.#sql.alarms.all(Date.parse(from)).map(alarmOf),
    };
  }

  async add(days: readonly HealthDay[], news: readonly HealthNow[]): Promise<void> {
    await this.#database.write(() => {
      for (const counted of days) {
        const kept = this.#sql.day.get(counted.day, counted.endpoint);
        this.#sql.putDay.run(rowOf(addToDay(kept && dayOf(kept), counted)));
      }
      for (const one of news) {
        const kept = this.#sql.standing.get(one.endpoint);
        const known = kept === undefined ? undefined : (JSON.parse(kept) as HealthNow);
        this.#sql.putState.run(one.endpoint, JSON.stringify(mergeHealth(known, one)));
      }
    });
  }

  async sweep(before: string): Promise<void> {
    await this.#database.write(() => {
      this.#sql.sweepDays.run(before);
      this.#sql.sweepAlarms.run(Date.parse(before));
    });
  }

  raise({ endpoint, field, since, usual, share, answers }: FieldAlarm): Promise<boolean> {
    return this.#database.write(
      () => this.#sql.raise.run(endpoint, field, since, usual, share, answers).changes === 1,
    );
  }

  async end(endpoint: string, field: string, at: number, accepted: boolean): Promise<void> {
    await this.#database.write(() => {
      this.#sql.end.run(at, accepted ? 1 : 0, endpoint, field);
    });
  }

  async claimMails(now: number): Promise<readonly FieldAlarm[]> {
    // Looking costs no lock, and nearly always there is nothing to send.
    if ((await this.#database.read(() => this.#sql.due.all(now))).length === 0) return [];
    return this.#database.write(() => {
      const due = this.#sql.due.all(now);
      for (const { endpoint, field, since } of due) {
        this.#sql.mail.run(0, now + mailLeaseMs, endpoint, field, since);
      }
      return due.map(alarmOf);
    });
  }

  async settleMails(alarms: readonly FieldAlarm[], sent: boolean, now: number): Promise<void> {
    await this.#database.write(() => {
      for (const { endpoint, field, since } of alarms) {
        this.#sql.mail.run(sent ? 1 : 0, sent ? 0 : now + mailRetryMs, endpoint, field, since);
      }
    });
  }
}
