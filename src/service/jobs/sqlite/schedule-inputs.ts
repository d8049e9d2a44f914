import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { isLeftBehind, pieces } from './job-inputs.js';

/** Inputs that one transaction deletes. */
const maxRows = 200;

/** True for a schedule that makes further jobs, or one of whose jobs has not ended. */
const isNeeded = (schedule: string) => `(
  EXISTS (SELECT 1 FROM schedules WHERE id = ${schedule} AND status <> 'ended')
  OR EXISTS (SELECT 1 FROM jobs WHERE lines < total AND schedule = ${schedule}))`;

/**
 * The inputs of schedules, which all of their jobs read. They are written before their schedule and deleted after its last
 * job, in several transactions, as those of jobs are.
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
      first: db
        .prepare<[string], number>(
          `SELECT place FROM schedule_inputs WHERE schedule = ? AND NOT ${isNeeded('schedule_inputs.schedule')} ORDER BY place LIMIT 1`,
        )
        .pluck(),
      remove: db.prepare<[string, number, number]>(
        'DELETE FROM schedule_inputs WHERE schedule = ? AND place >= ? AND place < ?',
      ),
      next: db.prepare<[string], { readonly schedule: string; readonly isNeeded: 0 | 1 }>(
        `SELECT inputs.schedule, ${isNeeded('inputs.schedule')} AS isNeeded FROM schedule_inputs AS inputs
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

  /** Deletes the inputs of a schedule that ended, or was never made, once none of its jobs needs them. */
  async removeUnneeded(schedule: string): Promise<void> {
    for (;;) {
      const from = await this.#database.read(() => this.#sql.first.get(schedule));
      if (from === undefined) return;
      await this.#database.write(() => this.#sql.remove.run(schedule, from, from + maxRows));
    }
  }

  /** Deletes what killed processes left behind: inputs of schedules that ended, of `deleted` ones, and of those never made. */
  async sweep(deleted: ReadonlySet<string>, now: number): Promise<void> {
    for (let after = ''; ; ) {
      const from = after;
      const next = await this.#database.read(() => this.#sql.next.get(from));
      if (next === undefined) return;
      after = next.schedule;
      if (next.isNeeded === 1 || !(deleted.has(after) || isLeftBehind(after, now))) continue;
      await this.removeUnneeded(next.schedule);
    }
  }
}
