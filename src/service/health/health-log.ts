import type { Database } from '../../../lib/database/database.js';
import { isPastSql, type Queries } from '../../../lib/database/queries.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { addToDay, type HealthDay } from './health-day.js';
import { dayOf, type HealthDayRow, mailLeaseMs, mailRetryMs, rowOf } from './health-day-row.js';
import type { CurrentHealth, FieldAlert, HealthLog, HealthNow } from './health-store.js';
import { healthUntil, mergeHealth } from './merge-health.js';

const alertColumns = 'endpoint, field, since, usual, share, answers, ended, accepted';

/** The health log of the endpoints, shared by all servers. */
export class StoredHealth {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Resolves with the days since `from` (`2026-11-22`), the current health, and the alerts since then. */
  load(from: string): Promise<HealthLog> {
    return this.#database.read(async (queries) => {
      const days = await queries.rows<HealthDayRow>(
        'SELECT * FROM health_days WHERE day >= $1 ORDER BY day, endpoint',
        [from],
      );
      return { days: days.map(dayOf), ...(await this.#current(queries, from)) };
    });
  }

  /** Resolves with the current health and the alerts since `from`. */
  current(from: string): Promise<CurrentHealth> {
    return this.#database.read((queries) => this.#current(queries, from));
  }

  /** Adds this process's new observations to the days and to the current health, atomically. */
  async add(days: readonly HealthDay[], current: readonly HealthNow[]): Promise<void> {
    await this.#database.transaction(async (queries) => {
      // In a fixed order, so that concurrent servers do not deadlock.
      for (const day of days.toSorted(byName)) await addDay(queries, day);
      for (const one of current.toSorted(byName)) await this.#addToHealth(queries, one);
    });
  }

  /** Deletes days before `before`, and alerts that ended before then. */
  async sweep(before: string): Promise<void> {
    await this.#database.transaction(async (queries) => {
      await queries.run('DELETE FROM health_days WHERE day < $1', [before]);
      await queries.run('DELETE FROM health_alarms WHERE ended < $1', [Date.parse(before)]);
    });
  }

  /** Records an alert. Resolves with false if the field has an active one. */
  async raise({ endpoint, field, since, usual, share, answers }: FieldAlert): Promise<boolean> {
    const raised = await this.#database.write((queries) =>
      queries.run(
        `INSERT INTO health_alarms (endpoint, field, since, usual, share, answers)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
        [endpoint, field, since, usual, share, answers],
      ),
    );
    return raised === 1;
  }

  async end(endpoint: string, field: string, at: number, isAccepted: boolean): Promise<void> {
    await this.#database.write((queries) =>
      queries.run(
        `UPDATE health_alarms SET ended = $1, accepted = $2
         WHERE endpoint = $3 AND field = $4 AND ended IS NULL`,
        [at, isAccepted, endpoint, field],
      ),
    );
  }

  /** Claims the active alerts whose mail is due for this process, for ten minutes. */
  async claimMails(now: number): Promise<readonly FieldAlert[]> {
    const isDue = `NOT mailed AND ended IS NULL AND ${isPastSql('due', '$1', mailLeaseMs)}`;
    // Without a lock, because there is nearly always nothing to send.
    const due = await this.#database.read((queries) =>
      queries.first(`SELECT 1 FROM health_alarms WHERE ${isDue} LIMIT 1`, [now]),
    );
    if (due === undefined) return [];
    return this.#database.write((queries) =>
      // A process that waits for a row claimed by another finds it no longer due.
      alerts(queries, `UPDATE health_alarms SET due = $2 WHERE ${isDue} RETURNING ${alertColumns}`, [
        now,
        now + mailLeaseMs,
      ]),
    );
  }

  /** Releases a claim: the mail was sent, or is due again in some minutes. */
  async settleMails(alerts: readonly FieldAlert[], isSent: boolean, now: number): Promise<void> {
    await this.#database.transaction(async (queries) => {
      for (const { endpoint, field, since } of alerts.toSorted(byName)) {
        await queries.run(
          `UPDATE health_alarms SET mailed = $1, due = $2
           WHERE endpoint = $3 AND field = $4 AND since = $5`,
          [isSent, isSent ? 0 : now + mailRetryMs, endpoint, field, since],
        );
      }
    });
  }

  async #current(queries: Queries, from: string): Promise<CurrentHealth> {
    const now = await queries.rows<{ readonly standing: string }>(
      'SELECT standing FROM health_now ORDER BY endpoint',
    );
    const recent = await alerts(
      queries,
      `SELECT ${alertColumns} FROM health_alarms WHERE ended IS NULL OR ended >= $1
       ORDER BY since, endpoint, field`,
      [Date.parse(from)],
    );
    return { now: now.map((row) => this.#healthOf(row)), alerts: recent };
  }

  /** Merges a delta into an endpoint's health, locking the row from read to write. */
  async #addToHealth(queries: Queries, delta: HealthNow): Promise<void> {
    const { endpoint } = delta;
    const added = await queries.run(
      'INSERT INTO health_now (endpoint, standing) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [endpoint, JSON.stringify(delta)],
    );
    if (added === 1) return;
    const latest = await queries.first<{ readonly standing: string }>(
      `SELECT standing FROM health_now WHERE endpoint = $1 ${queries.dialect.forUpdate}`,
      [endpoint],
    );
    const health = latest && this.#healthOf(latest);
    await queries.run('UPDATE health_now SET standing = $2 WHERE endpoint = $1', [
      endpoint,
      JSON.stringify(mergeHealth(health, delta)),
    ]);
  }

  #healthOf({ standing }: { readonly standing: string }): HealthNow {
    return healthUntil(this.#clock.now(), JSON.parse(standing) as HealthNow);
  }
}

const nameOf = ({
  endpoint,
  day = '',
  field = '',
}: {
  readonly endpoint: string;
  readonly day?: string;
  readonly field?: string;
}) => `${day} ${endpoint} ${field}`;

function byName(a: Parameters<typeof nameOf>[0], b: Parameters<typeof nameOf>[0]): number {
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

async function alerts(queries: Queries, text: string, values: readonly number[]): Promise<FieldAlert[]> {
  const rows = await queries.rows<FieldAlert>(text, values);
  return rows.map((row) => ({ ...row, accepted: Boolean(row.accepted) }));
}

/** Adds counts to the day's row, locking it from read to write. */
async function addDay(queries: Queries, counts: HealthDay): Promise<void> {
  const { day, endpoint, outcomes, minutes, answers, filled } = rowOf(counts);
  const added = await queries.run(
    `INSERT INTO health_days (day, endpoint, outcomes, minutes, answers, filled)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [day, endpoint, outcomes, minutes, answers, filled],
  );
  if (added === 1) return;
  const existing = await queries.first<HealthDayRow>(
    `SELECT * FROM health_days WHERE day = $1 AND endpoint = $2 ${queries.dialect.forUpdate}`,
    [day, endpoint],
  );
  const sum = rowOf(addToDay(existing && dayOf(existing), counts));
  await queries.run(
    `INSERT INTO health_days (day, endpoint, outcomes, minutes, answers, filled)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (day, endpoint) DO UPDATE SET outcomes = excluded.outcomes, minutes = excluded.minutes,
       answers = excluded.answers, filled = excluded.filled`,
    [day, endpoint, sum.outcomes, sum.minutes, sum.answers, sum.filled],
  );
}
