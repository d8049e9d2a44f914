import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Database } from '../../../../lib/sqlite/driver.js';
import { parseTimetable } from '../../../schedule/timetable.js';
import type { NewJob } from '../../job.js';
import { maxSchedules, scheduleZone } from '../schedule.js';
import type { ScheduleRow } from './schedule-row.js';

/** The rows of schedules and their inputs, each method to be called inside a transaction. */
export class ScheduleRows {
  readonly #insert;
  readonly #insertInput;
  readonly #forgetInputs;
  readonly #count;
  readonly #byId;
  readonly #setJob;
  readonly #ids;
  readonly #delete;

  constructor(db: Database) {
    this.#insert = db.prepare<Record<string, string | number | null>>(
      `INSERT INTO schedules (id, account, key_id, key_name, endpoint, every, status, credits, total, webhook_url,
         anchor, last, next_at, created_at)
       VALUES (@id, @account, @keyId, @keyName, @endpoint, @every, 'active', @credits, @total, @url, @now, @now, @nextAt, @now)`,
    );
    this.#insertInput = db.prepare<[string, number, string]>(
      'INSERT INTO schedule_inputs (schedule, place, input) VALUES (?, ?, ?)',
    );
    this.#forgetInputs = db.prepare<[string]>('DELETE FROM schedule_inputs WHERE schedule = ?');
    this.#count = db
      .prepare<[string], number>(`SELECT count(*) FROM schedules WHERE account = ? AND status <> 'ended'`)
      .pluck();
    this.#byId = db.prepare<[string], ScheduleRow>('SELECT * FROM schedules WHERE id = ?');
    this.#setJob = db.prepare<[string, string]>('UPDATE schedules SET last_job = ? WHERE id = ?');
    this.#ids = db.prepare<[string], string>('SELECT id FROM schedules WHERE account = ?').pluck();
    this.#delete = db.prepare<[string]>('DELETE FROM schedules WHERE id = ?');
  }

  /** Makes a schedule whose first job is being made. Throws `invalid_parameter` for an account with too many. */
  insert(id: string, job: NewJob, { every }: NonNullable<NewJob['schedule']>, now: number): void {
    const { account, key, endpoint, credits, inputs, webhookUrl = null } = job;
    if ((this.#count.get(account) ?? 0) >= maxSchedules) {
      throw new ExtractError(
        'invalid_parameter',
        `An account has at most ${maxSchedules} schedules that are not ended. End one first.`,
      );
    }
    // It uses the same clock as the anchor. A first run that were a moment before it would be followed by another.
    const nextAt = parseTimetable(every, scheduleZone).next(now, now);
    this.#insert.run({
      ...{ id, account, endpoint, every, credits, now, nextAt },
      keyId: key?.id ?? null,
      keyName: key?.name ?? null,
      total: inputs.length,
      url: webhookUrl,
    });
  }

  /** Adds inputs from one index to before another. */
  addInputs(id: string, inputs: readonly string[], from: number, to: number): void {
    for (let place = from; place < to; place += 1) this.#insertInput.run(id, place, inputs[place] as string);
  }

  /** The job that a schedule made last. */
  setJob(id: string, job: string): void {
    this.#setJob.run(job, id);
  }

  find(id: string): ScheduleRow | undefined {
    return this.#byId.get(id);
  }

  forgetInputs(id: string): void {
    this.#forgetInputs.run(id);
  }

  /** Deletes the schedules of an account. */
  deleteAccount(account: string): void {
    for (const id of this.#ids.all(account)) {
      this.#forgetInputs.run(id);
      this.#delete.run(id);
    }
  }
}
