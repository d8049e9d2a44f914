import { type ErrorCode, ExtractError } from '../../../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../../../../lib/runtime/clock.js';
import { parseTimetable } from '../../../schedule/timetable.js';
import type { SqliteJobs } from '../../sqlite/sqlite-jobs.js';
import { type Schedule, type ScheduleAtWork, type ScheduleStatus, scheduleZone } from '../schedule.js';
import { keyOf, type ScheduleRow, schedulePage, toSchedule, toScheduleAtWork } from '../schedule-row.js';
import type { DueRun, SchedulePage, Schedules } from '../schedules.js';
import { ScheduleRows } from './schedule-rows.js';

/** Schedules in the file of the ledger, so that a run, its job and its money are made together. */
export class SqliteSchedules implements Schedules {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #jobs: SqliteJobs;
  readonly #rows: ScheduleRows;
  readonly #sql;

  constructor(database: LedgerDatabase, clock: Clock, jobs: SqliteJobs) {
    this.#database = database;
    this.#clock = clock;
    this.#jobs = jobs;
    this.#rows = new ScheduleRows(database);
    const { db } = database;
    this.#sql = {
      list: db.prepare<[string, string, number], ScheduleRow>(
        'SELECT * FROM schedules WHERE account = ? AND id < ? ORDER BY id DESC LIMIT ?',
      ),
      set: db.prepare<[ScheduleStatus, number, number | null, string]>(
        'UPDATE schedules SET status = ?, last = ?, next_at = ? WHERE id = ?',
      ),
      due: db.prepare<[number, number], ScheduleRow>(
        'SELECT * FROM schedules WHERE next_at IS NOT NULL AND (next_at <= ? OR last > ?) ORDER BY next_at LIMIT 1000',
      ),
      nextDue: db
        .prepare<[], number | null>('SELECT min(next_at) FROM schedules WHERE next_at IS NOT NULL')
        .pluck(),
      move: db.prepare<[number, number, string, number]>(
        'UPDATE schedules SET last = ?, next_at = ? WHERE id = ? AND next_at = ?',
      ),
      end: db.prepare<[string | null, string | null, number, string]>(
        'UPDATE schedules SET last_job = ?, last_error = ?, credits = coalesce(nullif(?, 0), credits) WHERE id = ?',
      ),
    };
  }

  async list(account: string, limit: number, before: string | undefined): Promise<SchedulePage> {
    const rows = await this.#database.read(() => this.#sql.list.all(account, before ?? '~', limit + 1));
    return schedulePage(rows, limit, this.#clock.now());
  }

  find(account: string, id: string): Promise<Schedule> {
    return this.#database.read(() => toSchedule(this.#owned(account, id), this.#clock.now()));
  }

  pause(account: string, id: string): Promise<Schedule> {
    return this.#change(account, id, (row) => {
      if (row.status === 'active') this.#sql.set.run('paused', row.last, null, id);
    });
  }

  resume(account: string, id: string): Promise<Schedule> {
    return this.#change(account, id, (row, now) => {
      if (row.status === 'active') return;
      const next = parseTimetable(row.every, scheduleZone).next(now, row.anchor);
      this.#sql.set.run('active', row.last, next, id);
    });
  }

  async end(account: string, id: string): Promise<Schedule> {
    const ended = await this.#database.write(() => {
      const { last } = this.#owned(account, id);
      this.#sql.set.run('ended', last, null, id);
      this.#rows.forgetEnded(account, id);
      return toSchedule(this.#owned(account, id), this.#clock.now());
    });
    // What cannot be deleted now is swept later: the schedule has ended all the same.
    await this.#rows.inputs.removeUnneeded(id).catch(() => undefined);
    return ended;
  }

  listDue(): Promise<readonly ScheduleAtWork[]> {
    const now = this.#clock.now();
    return this.#database.read(() => this.#sql.due.all(now, now).map(toScheduleAtWork));
  }

  findNextDue(): Promise<number | null> {
    return this.#database.read(() => this.#sql.nextDue.get() ?? null);
  }

  run(run: DueRun, credits: number, monthlyCredits: number | null = null): Promise<string | null> {
    return this.#database.write(() => {
      const row = this.#rows.find(run.id);
      if (row === undefined || !this.#advance(run)) return null;
      const { id, account, endpoint, webhook_url, total: count } = row;
      const key = keyOf(row);
      const order = {
        ...{ account, endpoint, credits, count, name: row.name ?? undefined },
        key: key === undefined ? undefined : { ...key, monthlyCredits },
      };
      const job = this.#jobs.makeScheduled({ ...order, webhookUrl: webhook_url ?? undefined }, id, run.at);
      this.#sql.end.run(job, null, credits, id);
      return job;
    });
  }

  async refuse(run: DueRun, code: ErrorCode): Promise<void> {
    await this.#database.write(() => {
      if (this.#advance(run)) this.#sql.end.run(null, code, 0, run.id);
    });
  }

  async move(run: DueRun): Promise<void> {
    await this.#database.write(() => this.#advance(run));
  }

  /** False when somebody else moved it, paused it or ended it meanwhile. */
  #advance({ id, expected, at, nextAt }: DueRun): boolean {
    return this.#sql.move.run(at, nextAt, id, expected).changes === 1;
  }

  #change(account: string, id: string, change: (row: ScheduleRow, now: number) => void): Promise<Schedule> {
    return this.#database.write(() => {
      const row = this.#owned(account, id);
      if (row.status === 'ended') throw new ExtractError('schedule_ended');
      const now = this.#clock.now();
      change(row, now);
      return toSchedule(this.#owned(account, id), now);
    });
  }

  #owned(account: string, id: string): ScheduleRow {
    const row = this.#rows.find(id);
    if (row === undefined || row.account !== account) throw new ExtractError('schedule_not_found');
    return row;
  }
}
