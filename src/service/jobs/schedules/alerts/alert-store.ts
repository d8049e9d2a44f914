import { monotonicFactory } from 'ulid';
import type { Database } from '../../../../../lib/database/database.js';
import { isPastSql } from '../../../../../lib/database/queries.js';
import type { Clock } from '../../../../../lib/runtime/clock.js';
import type { Notice } from '../../../notify/notice.js';
import type { Target } from '../../../notify/target.js';
import type { Due, DueAttempts } from '../../webhooks/deliverer.js';
import { afterAttempt, maxPauseMs } from '../../webhooks/delivery-rules.js';
import type { AttemptOutcome } from '../../webhooks/sender.js';

/** A finished run without alerts so far. */
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

export interface DueAlert extends Due {
  readonly schedule: string;
  readonly number: number;
  readonly target: Target;
  readonly tries: number;
  /** Milliseconds since 1970. */
  readonly due: number;
}

/** Maximum runs and alerts handled per search. */
const maxRuns = 16;
const maxAlerts = 128;
const nextId = monotonicFactory();

export const runKey = ({ schedule, number }: Pick<EndedRun, 'schedule' | 'number'>) =>
  `${schedule} ${number}`;

interface EndedRow extends Omit<EndedRun, 'lineOptions' | 'targets'> {
  readonly line_options: string | null;
  readonly notify: string;
}

interface AlertRow extends Pick<DueAlert, 'id' | 'account' | 'schedule' | 'number' | 'tries' | 'due'> {
  readonly target: string;
}

/** The alerts of schedules. Of the processes that share them, exactly one sends each. */
export class AlertStore implements DueAttempts<DueAlert> {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Returns finished runs that need alerts, oldest first per account, alternating between accounts. `leftOut`: runs to
   * exclude, by `runKey`.
   */
  async listEnded(leftOut: ReadonlySet<string> = new Set()): Promise<readonly EndedRun[]> {
    const all = await this.#database.read((queries) =>
      queries.rows<EndedRow>(
        `SELECT schedule, number, job, at, account, endpoint, name, line_options, notify FROM (
           SELECT r.schedule, r.number, r.job, r.at, s.account, s.endpoint, s.name, s.line_options, s.notify,
             row_number() OVER (PARTITION BY s.account ORDER BY r.at, r.schedule) AS turn
           FROM schedule_runs r JOIN schedules s ON s.id = r.schedule JOIN jobs j ON j.id = r.job
           WHERE r.told = 0 AND j.lines = j.total) AS ended
         ORDER BY turn, at LIMIT $1`,
        [maxRuns + leftOut.size],
      ),
    );
    const rows = all.filter((row) => !leftOut.has(runKey(row))).slice(0, maxRuns);
    return rows.map(({ line_options: options, notify, ...row }) => ({
      ...row,
      lineOptions: options === null ? {} : (JSON.parse(options) as { new?: true }),
      targets: JSON.parse(notify) as readonly Target[],
    }));
  }

  /** Creates the alerts of a run once, even with concurrent callers; none if there is nothing to report. */
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

  async listDue(): Promise<readonly DueAlert[]> {
    const rows = await this.#database.read((queries) =>
      queries.rows<AlertRow>(
        `SELECT id, account, schedule, number, target, tries, due FROM (
           SELECT *, row_number() OVER (PARTITION BY account ORDER BY of_target, due, id) AS turn FROM (
             SELECT *, row_number() OVER (PARTITION BY account, target ORDER BY due, id) AS of_target
             FROM schedule_alerts WHERE ${isPastSql('due', '$1', maxPauseMs)} AND ${isPastSql('claimed', '$1', maxPauseMs)}) AS one) AS other
         ORDER BY turn, due LIMIT ${maxAlerts}`,
        [this.#clock.now()],
      ),
    );
    return rows.map(({ target: text, ...row }) => {
      const target = JSON.parse(text) as Target;
      return { ...row, target, url: target.kind === 'mail' ? `mailto:${target.address}` : target.address };
    });
  }

  async findNextDue(): Promise<number | null> {
    const row = await this.#database.read((queries) =>
      queries.first<{ readonly next: number | null }>(
        'SELECT min(due) AS next FROM schedule_alerts WHERE due > $1',
        [this.#clock.now()],
      ),
    );
    return row?.next ?? null;
  }

  async claim({ id, tries, due }: DueAlert, ms: number): Promise<boolean> {
    const now = this.#clock.now();
    const claimed = await this.#database.write((queries) =>
      queries.run(
        `UPDATE schedule_alerts SET claimed = $2 WHERE id = $1 AND tries = $3 AND due = $4
           AND ${isPastSql('claimed', '$5', maxPauseMs)}`,
        [id, now + ms, tries, due, now],
      ),
    );
    return claimed > 0;
  }

  async release({ id, tries }: DueAlert): Promise<void> {
    await this.#database.write((queries) =>
      queries.run('UPDATE schedule_alerts SET claimed = 0 WHERE id = $1 AND tries = $2', [id, tries]),
    );
  }

  /** Returns the notice of an alert; null if it was deleted with its account. */
  async readNotice({ id, schedule, number }: DueAlert): Promise<Notice | null> {
    const run = await this.#database.read((queries) =>
      queries.first<{ readonly notice: string | null }>(
        'SELECT notice FROM schedule_runs WHERE schedule = $1 AND number = $2',
        [schedule, number],
      ),
    );
    const notice = JSON.parse(run?.notice ?? 'null') as Notice | null;
    return notice === null ? null : { ...notice, id };
  }

  /**
   * Records an attempt and decides what follows. If another process made the same attempt and continued, an accepted
   * alert is still final, and a failure changes nothing.
   */
  async record({ id, schedule, number, tries }: DueAlert, outcome: AttemptOutcome): Promise<void> {
    const { state, pauseMs } = afterAttempt(tries, outcome);
    const isLate = state === 'delivered' ? `tries > $6 AND state <> 'delivered'` : 'false';
    await this.#database.transaction(async (queries) => {
      const recorded = await queries.run(
        `UPDATE schedule_alerts SET state = $2, tries = tries + 1, due = $3, status = $4, error = $5, claimed = 0
         WHERE id = $1 AND (tries = $6 OR ${isLate})`,
        [
          id,
          state,
          pauseMs === null ? null : this.#clock.now() + pauseMs,
          outcome.status,
          outcome.error,
          tries,
        ],
      );
      if (recorded === 0 || pauseMs !== null) return;
      await queries.run(
        `UPDATE schedule_runs SET notice = NULL WHERE schedule = $1 AND number = $2 AND NOT EXISTS (
           SELECT 1 FROM schedule_alerts WHERE schedule = $1 AND number = $2 AND due IS NOT NULL)`,
        [schedule, number],
      );
    });
  }
}
