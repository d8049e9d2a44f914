import { decodeTime } from 'ulid';
import type { Database } from '../../../../lib/database/sqlite/driver.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';

/** Inputs, and characters of inputs, of one transaction: each holds the event loop. */
const maxRows = 1000;
const maxCharacters = 512 * 1024;
/** Milliseconds for which a job is made at most: inputs without one are left over after that. */
const makingMs = 3_600_000;

function statements(db: Database) {
  return {
    insert: db.prepare<[string, number, string]>(
      'INSERT INTO job_inputs (job, place, input) VALUES (?, ?, ?)',
    ),
    find: db
      .prepare<[string, number], string>('SELECT input FROM job_inputs WHERE job = ? AND place = ?')
      .pluck(),
    findOfSchedule: db
      .prepare<[string, number], string>(
        'SELECT input FROM schedule_inputs WHERE schedule = (SELECT schedule FROM jobs WHERE id = ?) AND place = ?',
      )
      .pluck(),
    first: db
      .prepare<[string], number>('SELECT place FROM job_inputs WHERE job = ? ORDER BY place LIMIT 1')
      .pluck(),
    remove: db.prepare<[string, number, number]>(
      'DELETE FROM job_inputs WHERE job = ? AND place >= ? AND place < ?',
    ),
    /** The next job with inputs, and whether it still needs them. */
    next: db.prepare<[string], { readonly job: string; readonly state: 'gone' | 'done' | 'open' }>(
      `SELECT inputs.job, CASE WHEN jobs.id IS NULL THEN 'gone' WHEN jobs.lines = jobs.total THEN 'done' ELSE 'open' END AS state
       FROM job_inputs AS inputs LEFT JOIN jobs ON jobs.id = inputs.job
       WHERE inputs.job > ? ORDER BY inputs.job LIMIT 1`,
    ),
  };
}

/** Stretches of inputs that one transaction writes. */
export function* pieces(
  inputs: readonly string[],
): Generator<{ readonly from: number; readonly to: number }, void, undefined> {
  for (let from = 0; from < inputs.length; ) {
    let to = from;
    for (let size = 0; to < inputs.length && to - from < maxRows && size < maxCharacters; to += 1) {
      size += (inputs[to] as string).length;
    }
    yield { from, to };
    from = to;
  }
}

/** Whether what has this id, `job_…` or `sched_…`, would have been made by now: its inputs are left over then. */
export function isLeftBehind(id: string, now: number): boolean {
  try {
    return now - decodeTime(id.slice(id.indexOf('_') + 1)) > makingMs;
  } catch {
    // An id that says nothing of its time.
    return true;
  }
}

/**
 * The inputs of jobs; those of a schedule's jobs are the schedule's, and held once. They are written before their job and deleted after it, in several transactions. Ten thousand in
 * one would hold the event loop for 60 to 300 ms (measured 2026-11).
 */
export class JobInputs {
  readonly #database: LedgerDatabase;
  readonly #sql;

  constructor(database: LedgerDatabase) {
    this.#database = database;
    this.#sql = statements(database.db);
  }

  /** Writes the inputs of a job that is about to be made. */
  async add(job: string, inputs: readonly string[]): Promise<void> {
    for (const { from, to } of pieces(inputs)) {
      await this.#database.write(() => {
        for (let index = from; index < to; index += 1) {
          this.#sql.insert.run(job, index, inputs[index] as string);
        }
      });
    }
  }

  /** An input of a job: its own, or that of its schedule. */
  find(job: string, index: number): string | undefined {
    return this.#sql.find.get(job, index) ?? this.#sql.findOfSchedule.get(job, index);
  }

  /** Deletes the inputs of a job. */
  async remove(job: string): Promise<void> {
    for (;;) {
      const from = await this.#database.read(() => this.#sql.first.get(job));
      if (from === undefined) return;
      await this.#database.write(() => this.#sql.remove.run(job, from, from + maxRows));
    }
  }

  /** Deletes inputs that no job needs: of `deleted` jobs, and those that killed processes left behind. */
  async sweep(deleted: ReadonlySet<string>, now: number): Promise<void> {
    let job = '';
    for (;;) {
      const after = job;
      const next = await this.#database.read(() => this.#sql.next.get(after));
      if (next === undefined) return;
      job = next.job;
      const isLeft = deleted.has(job) || isLeftBehind(job, now);
      if (next.state === 'done' || (next.state === 'gone' && isLeft)) await this.remove(job);
    }
  }
}
