import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { parseTimetable } from '../../../schedule/timetable.js';
import type { NewJob } from '../../job.js';
import { maxSchedules, scheduleZone } from '../schedule.js';
import type { ScheduleRow } from '../schedule-row.js';
import { ScheduleInputs } from './schedule-inputs.js';

/** The rows of schedules, each method to be called inside a transaction. */
export class ScheduleRows {
  readonly inputs: ScheduleInputs;
  readonly #insert;
  readonly #count;
  readonly #byId;
  readonly #setJob;
  readonly #forgetEnded;
  readonly #ids;
  readonly #delete;

  constructor(database: LedgerDatabase) {
    const { db } = database;
    this.inputs = new ScheduleInputs(database);
    this.#insert = db.prepare<Record<string, string | number | null>>(
      `INSERT INTO schedules (id, account, key_id, key_name, endpoint, every, status, credits, total, webhook_url,
         anchor, last, next_at, created_at, name)
       VALUES (@id, @account, @keyId, @keyName, @endpoint, @every, 'active', @credits, @total, @url, @now, @now, @nextAt, @now, @name)`,
    );
    this.#count = db
      .prepare<[string], number>(`SELECT count(*) FROM schedules WHERE account = ? AND status <> 'ended'`)
      .pluck();
    this.#byId = db.prepare<[string], ScheduleRow>('SELECT * FROM schedules WHERE id = ?');
    this.#setJob = db.prepare<[string, string]>('UPDATE schedules SET last_job = ? WHERE id = ?');
    this.#forgetEnded = db.prepare<[string, string, string, number]>(
      `DELETE FROM schedules WHERE account = ? AND status = 'ended' AND id IN
         (SELECT id FROM schedules WHERE account = ? AND status = 'ended' AND id <> ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    );
    this.#ids = db.prepare<[string], string>('SELECT id FROM schedules WHERE account = ?').pluck();
    this.#delete = db.prepare<[string]>('DELETE FROM schedules WHERE id = ?');
  }

  /** Makes a schedule whose first job is being made. Throws `invalid_parameter` for an account with too many. */
  insert(id: string, job: NewJob, { every }: NonNullable<NewJob['schedule']>, now: number): void {
    const { account, key, name = null, endpoint, credits, inputs, webhookUrl = null } = job;
    if ((this.#count.get(account) ?? 0) >= maxSchedules) {
      throw new ExtractError(
        'invalid_parameter',
        `An account has at most ${maxSchedules} schedules that are not ended. End one first.`,
      );
    }
    // It uses the same clock as the anchor. A first run that were a moment before it would be followed by another.
    const nextAt = parseTimetable(every, scheduleZone).next(now, now);
    this.#insert.run({
      ...{ id, account, endpoint, every, credits, now, nextAt, name },
      keyId: key?.id ?? null,
      keyName: key?.name ?? null,
      total: inputs.length,
      url: webhookUrl,
    });
  }

  /** The job that a schedule made last. */
  setJob(id: string, job: string): void {
    this.#setJob.run(job, id);
  }

  find(id: string): ScheduleRow | undefined {
    return this.#byId.get(id);
  }

  /** Forgets what ended of an account, but for the newest and the one that ended now. */
  forgetEnded(account: string, now: string): void {
    this.#forgetEnded.run(account, account, now, maxSchedules - 1);
  }

  /** Deletes the schedules of an account, whose inputs are left to `ScheduleInputs.sweep`; returns their ids. */
  deleteAccount(account: string): readonly string[] {
    const ids = this.#ids.all(account);
    for (const id of ids) this.#delete.run(id);
    return ids;
  }
}
