import { monotonicFactory } from 'ulid';
import type { Database } from '../../../../../lib/database/database.js';
import type { ColumnTypes } from '../../../../../lib/database/dialect.js';
import type { Clock } from '../../../../../lib/runtime/clock.js';
import type { Notice } from '../../../notify/notice.js';
import type { Target } from '../../../notify/target.js';
import { afterAttempt } from '../../webhooks/delivery-rules.js';
import type { Sent } from '../../webhooks/sender.js';

/** A run that has ended and that nobody was told of. */
export interface EndedRun {
  readonly schedule: string;
  readonly number: number;
  readonly job: string;
  readonly account: string;
  readonly endpoint: string;
  readonly name: string | null;
  readonly lineOptions: { readonly new?: true };
  readonly targets: readonly Target[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An alert that this process alone is to send. */
export interface DueAlert {
  readonly id: string;
  readonly account: string;
  readonly target: Target;
  readonly notice: Notice;
  readonly tries: number;
}

/** Milliseconds after which an alert is due again whose process was killed; more than an attempt takes. */
const leaseMs = 60_000;
const maxAtOnce = 16;
const nextId = monotonicFactory();

/**
 * Alerts of runs, one for each target; `due` is set while an attempt is to be made, and `notice` is kept for as long as one
 * of its alerts is. Times are milliseconds since 1970.
 */
export const scheduleAlertsTables = ({ id, text, integer, end }: ColumnTypes) => `
  ALTER TABLE schedules ADD COLUMN notify ${text};
  ALTER TABLE schedule_runs ADD COLUMN told ${integer} NOT NULL DEFAULT 1;
  ALTER TABLE schedule_runs ADD COLUMN notice ${text};
  CREATE INDEX schedule_runs_to_tell ON schedule_runs (schedule, number) WHERE told = 0;
  CREATE TABLE schedule_alerts (
    id ${id} PRIMARY KEY,
    schedule ${id} NOT NULL,
    number ${integer} NOT NULL,
    account ${id} NOT NULL,
    target ${text} NOT NULL,
    state ${id} NOT NULL,
    tries ${integer} NOT NULL,
    due ${integer},
    status ${integer},
    error ${text}
  ) ${end};
  CREATE INDEX schedule_alerts_of_run ON schedule_alerts (schedule, number);
  CREATE INDEX schedule_alerts_due ON schedule_alerts (due) WHERE due IS NOT NULL;
`;

interface EndedRow {
  readonly schedule: string;
  readonly number: number;
  readonly job: string;
  readonly account: string;
  readonly endpoint: string;
  readonly name: string | null;
  readonly line_options: string | null;
  readonly notify: string;
  readonly at: number;
}

interface AlertRow {
  readonly id: string;
  readonly schedule: string;
  readonly number: number;
  readonly account: string;
  readonly target: string;
  readonly tries: number;
}

/** The alerts of schedules. Several processes may share them; one of them sends each. */
export class AlertStore {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Runs whose jobs have ended, and that are to be told of. */
  async listEnded(): Promise<readonly EndedRun[]> {
    const rows = await this.#database.read((queries) =>
      queries.rows<EndedRow>(
        `SELECT r.schedule, r.number, r.job, r.at, s.account, s.endpoint, s.name, s.line_options, s.notify
         FROM schedule_runs r JOIN schedules s ON s.id = r.schedule JOIN jobs j ON j.id = r.job
         WHERE r.told = 0 AND j.lines = j.total ORDER BY r.at LIMIT ${maxAtOnce}`,
      ),
    );
    return rows.map(({ line_options: options, notify, ...row }) => ({
      ...row,
      lineOptions: options === null ? {} : (JSON.parse(options) as { new?: true }),
      targets: JSON.parse(notify) as readonly Target[],
    }));
  }

  /** Makes the alerts of a run, once, whoever else is at it; none where there is nothing to tell. */
  async begin({ schedule, number, account, targets }: EndedRun, notice: Notice | null): Promise<void> {
    await this.#database.transaction(async (queries) => {
      const text = notice === null ? null : JSON.stringify(notice);
      const updated = await queries.run(
        'UPDATE schedule_runs SET told = 1, notice = $3 WHERE schedule = $1 AND number = $2 AND told = 0',
        [schedule, number, text],
      );
      if (updated === 0 || notice === null) return;
      const now = this.#clock.now();
      for (const target of targets) {
        await queries.run(
          `INSERT INTO schedule_alerts (id, schedule, number, account, target, state, tries, due)
           VALUES ($1, $2, $3, $4, $5, 'pending', 0, $6)`,
          [`whd_${nextId(now)}`, schedule, number, account, JSON.stringify(target), now],
        );
      }
    });
  }

  /** Takes alerts that are due, for this process alone until their lease is over. */
  async claim(): Promise<readonly DueAlert[]> {
    const now = this.#clock.now();
    return this.#database.transaction(async (queries) => {
      const rows = await queries.rows<AlertRow>(
        `SELECT id, schedule, number, account, target, tries FROM schedule_alerts
         WHERE due <= $1 ORDER BY due LIMIT ${maxAtOnce} ${queries.dialect.forUpdateSkipLocked}`,
        [now],
      );
      const due: DueAlert[] = [];
      for (const { id, schedule, number, account, target, tries } of rows) {
        await queries.run('UPDATE schedule_alerts SET due = $2 WHERE id = $1', [id, now + leaseMs]);
        const run = await queries.first<{ readonly notice: string | null }>(
          'SELECT notice FROM schedule_runs WHERE schedule = $1 AND number = $2',
          [schedule, number],
        );
        const notice = JSON.parse(run?.notice ?? 'null') as Notice | null;
        if (notice !== null) {
          due.push({ id, account, tries, target: JSON.parse(target) as Target, notice: { ...notice, id } });
        }
      }
      return due;
    });
  }

  /** When the next attempt is due; null for none. */
  async findNextDue(): Promise<number | null> {
    const found = await this.#database.read((queries) =>
      queries.first<{ readonly next: number | null }>(
        'SELECT min(due) AS next FROM schedule_alerts WHERE due IS NOT NULL',
      ),
    );
    return found?.next ?? null;
  }

  /** Records an attempt, and decides what follows. */
  async record({ id, tries }: DueAlert, sent: Sent): Promise<void> {
    const { state, pauseMs } = afterAttempt(tries, sent);
    await this.#database.transaction(async (queries) => {
      const row = await queries.first<Pick<AlertRow, 'schedule' | 'number'>>(
        `UPDATE schedule_alerts SET state = $2, tries = tries + 1, due = $3, status = $4, error = $5 WHERE id = $1
         RETURNING schedule, number`,
        [id, state, pauseMs === null ? null : this.#clock.now() + pauseMs, sent.status, sent.error],
      );
      if (row === undefined || pauseMs !== null) return;
      await queries.run(
        `UPDATE schedule_runs SET notice = NULL WHERE schedule = $1 AND number = $2 AND NOT EXISTS (
           SELECT 1 FROM schedule_alerts WHERE schedule = $1 AND number = $2 AND due IS NOT NULL)`,
        [row.schedule, row.number],
      );
    });
  }
}
