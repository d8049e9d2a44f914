import type { LedgerDatabase } from '../../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { isLeftBehind, pieces } from '../../sqlite/job-inputs.js';

/**
 * The inputs of schedules, which each of their jobs copies. They are written before their schedule, in several
 * transactions, as those of jobs are.
 */
export class ScheduleInputs {
  readonly #database: LedgerDatabase;
  readonly #sql;

  constructor(database: LedgerDatabase) {
    this.#database = database;
    const { db } = database;
    this.#sql = {
      insert: db.prepare<[string, number, string]>(
        'INSERT INTO schedule_inputs (schedule, place, input) VALUES (?, ?, ?)',
      ),
      forget: db.prepare<[string]>('DELETE FROM schedule_inputs WHERE schedule = ?'),
      next: db.prepare<[string], { readonly schedule: string; readonly isNeeded: 0 | 1 }>(
        `SELECT inputs.schedule, schedules.id IS NOT NULL AS isNeeded
         FROM schedule_inputs AS inputs LEFT JOIN schedules ON schedules.id = inputs.schedule
         WHERE inputs.schedule > ? ORDER BY inputs.schedule LIMIT 1`,
      ),
    };
  }

  /** Writes the inputs of a schedule that is about to be made. */
  async add(schedule: string, inputs: readonly string[]): Promise<void> {
    for (const { from, to } of pieces(inputs)) {
      await this.#database.write(() => {
        for (let place = from; place < to; place += 1) {
          this.#sql.insert.run(schedule, place, inputs[place] as string);
        }
      });
    }
  }

  /** Deletes the inputs of a schedule; inside a transaction. */
  forget(schedule: string): void {
    this.#sql.forget.run(schedule);
  }

  /** Deletes what killed processes left behind: inputs of schedules that were never made. */
  async sweep(now: number): Promise<void> {
    for (let after = ''; ; ) {
      const from = after;
      const next = await this.#database.read(() => this.#sql.next.get(from));
      if (next === undefined) return;
      after = next.schedule;
      if (next.isNeeded === 1 || !isLeftBehind(after, now)) continue;
      await this.#database.write(() => this.forget(next.schedule));
    }
  }
}
