import type { Database } from '../../../../lib/database/database.js';
import { afterEveryId, type Queries } from '../../../../lib/database/queries.js';
import { type ErrorCode, ExtractError } from '../../../../lib/errors/extract-error.js';
import { WhereClause } from '../../../../lib/ledger/where-clause.js';
import type { Platform } from '../../../../lib/platforms.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { SuppressionStore } from '../../../../lib/suppressions/suppression-store.js';
import { WatchedSuppressions } from '../../../../lib/suppressions/watched-suppressions.js';
import { withoutSuppressed } from '../../../files/history/without-suppressed.js';
import { DatabaseMemory } from '../../../lines/memory/database-memory.js';
import type { HistoryReader } from '../../../lines/memory/history.js';
import type { OwnedInputs } from '../job-inputs.js';
import { keyOf, lineOptionsOf } from '../job-row.js';
import { forgetLinks } from '../links/links-schema.js';
import type { StoredJobs } from '../stored-jobs.js';
import {
  type DueRun,
  maxSchedules,
  type Schedule,
  type ScheduleAtWork,
  type SchedulePage,
  type ScheduleStatus,
} from './schedule.js';
import { endMemory } from './schedule-memory.js';
import { type ScheduleRow, schedulePage, timetableOf, toSchedule, toScheduleAtWork } from './schedule-row.js';
import { addRun, forgetRuns, listRuns, type RunPage } from './schedule-runs.js';

type SchedulingJobs = Pick<StoredJobs, 'makeScheduled' | 'forgetScheduleInputs' | 'withdraw'>;

/**
 * Schedules. Several processes may look for due ones: the row lock of the update lets one of them create the run, in
 * one transaction with its job.
 */
export class ScheduleStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #jobs: SchedulingJobs;
  readonly #history: DatabaseMemory;
  readonly #suppressions: WatchedSuppressions;

  constructor(database: Database, clock: Clock, jobs: SchedulingJobs) {
    this.#database = database;
    this.#clock = clock;
    this.#jobs = jobs;
    this.#history = new DatabaseMemory(database, clock);
    this.#suppressions = new WatchedSuppressions(async () => new SuppressionStore(database, clock), clock);
  }

  /** Returns an account's schedules, newest first, before the one with that ID, optionally only of some platforms. */
  async list(
    account: string,
    limit: number,
    before: string | undefined,
    platforms: readonly Platform[] | null = null,
  ): Promise<SchedulePage> {
    const where = new WhereClause();
    where.add('account = ? AND id < ?', account, before ?? afterEveryId);
    where.addPlatforms(platforms);
    const max = where.value(limit + 1);
    const rows = await this.#database.read((queries) =>
      queries.rows<ScheduleRow>(
        `SELECT * FROM schedules WHERE ${where.where} ORDER BY id DESC LIMIT ${max}`,
        where.values,
      ),
    );
    return schedulePage(rows, limit, this.#clock.now());
  }

  /** Rejects `schedule_not_found`. */
  async find(account: string, id: string): Promise<Schedule> {
    const row = await this.#database.read((queries) => ownedRow(queries, account, id, ''));
    return toSchedule(row, this.#clock.now());
  }

  /** Stops further runs until it is resumed. Rejects `schedule_not_found`, `schedule_ended`. */
  pause(account: string, id: string): Promise<Schedule> {
    return this.#change(account, id, (row) => (row.status === 'active' ? ['paused', null] : undefined));
  }

  /** Continues with the timetable's next time; missed runs are not made up. Rejects as `pause` does. */
  resume(account: string, id: string): Promise<Schedule> {
    return this.#change(account, id, (row, now) =>
      row.status === 'active' ? undefined : ['active', timetableOf(row).next(now, row.anchor)],
    );
  }

  /**
   * Ends a schedule permanently. Its history and links are deleted immediately, its inputs once running jobs have
   * ended, the schedule itself once a hundred newer ones of its account have ended. Rejects `schedule_not_found`.
   */
  async end(account: string, id: string): Promise<Schedule> {
    let inputs: readonly OwnedInputs[] = [];
    const schedule = await this.#database.transaction(async (queries) => {
      const row = await set(queries, await heldRow(queries, account, id), 'ended', null);
      await endMemory(queries, id);
      await forgetLinks(queries, account, id);
      inputs = await this.#jobs.forgetScheduleInputs(queries, id);
      // Deletes ended schedules except the newest.
      const oldest = await queries.rows<{ readonly id: string }>(
        `DELETE FROM schedules WHERE account = $1 AND status = 'ended' AND id <> $2 AND id <= (
           SELECT id FROM schedules WHERE account = $1 AND status = 'ended' AND id <> $2
           ORDER BY id DESC LIMIT 1 OFFSET $3) RETURNING id`,
        [account, id, maxSchedules - 1],
      );
      await forgetRuns(
        queries,
        oldest.map((one) => one.id),
      );
      return row;
    });
    await this.#jobs.withdraw(account, inputs);
    // A later sweep removes what remains after an error.
    await this.removeEnded().catch(() => undefined);
    return toSchedule(schedule, this.#clock.now());
  }

  /**
   * Makes an additional run due now. Rejects `schedule_not_found`, `schedule_ended`, `job_not_finished` during a run,
   * `invalid_parameter` for a paused one.
   */
  runNow(account: string, id: string): Promise<Schedule> {
    return this.#database.transaction(async (queries) => {
      const row = await heldRow(queries, account, id);
      if (row.status === 'ended') throw new ExtractError('schedule_ended');
      if (row.status === 'paused') {
        throw new ExtractError('invalid_parameter', 'The schedule is paused. Resume it first.');
      }
      const busy = await queries.first(`SELECT id FROM schedules WHERE id = $1 AND ${hasJobAtWork}`, [id]);
      if (busy !== undefined) throw new ExtractError('job_not_finished', 'The last run has not finished.');
      const now = this.#clock.now();
      return toSchedule(await set(queries, row, 'active', Math.min(now, row.next_at ?? now)), now);
    });
  }

  /** Returns the runs of a schedule before a number, newest first. Rejects `schedule_not_found`. */
  listRuns(account: string, id: string, limit: number, before: number | undefined): Promise<RunPage> {
    return this.#database.read(async (queries) => {
      await ownedRow(queries, account, id, '');
      return listRuns(queries, id, limit, before);
    });
  }

  /**
   * Returns a reader of a schedule's history. Rejects `schedule_not_found`; `invalid_parameter` for one without a
   * history.
   */
  async readHistory(account: string, id: string): Promise<HistoryReader> {
    const { history, status } = await this.find(account, id);
    if (history !== true || status === 'ended') {
      const why = history === true ? 'has ended, and its history with it' : 'keeps no history';
      throw new ExtractError('invalid_parameter', `The schedule ${why}. Create one with "history": true.`);
    }
    const reader = this.#history.reader(id);
    const suppressed = await this.#suppressions.current();
    return suppressed === null ? reader : withoutSuppressed(reader, suppressed);
  }

  /** Deletes changes of all schedules read before a time in milliseconds since 1970. The latest state stays. */
  async pruneChanges(before: number): Promise<void> {
    await this.removeEnded();
    await this.#history.prune(before);
  }

  /** Deletes remaining histories of schedules that ended with their account, or in a killed process. */
  removeEnded(): Promise<void> {
    return this.#history.removeEnded();
  }

  /** Returns active schedules that are due, or whose last run is in the future because the clock was set back. */
  async listDue(): Promise<readonly ScheduleAtWork[]> {
    const rows = await this.#database.read((queries) =>
      queries.rows<ScheduleRow>(
        `SELECT schedules.*, ${hasJobAtWork} AS busy FROM schedules
         WHERE next_at IS NOT NULL AND (next_at <= $1 OR last > $1) ORDER BY busy, next_at LIMIT 1000`,
        [this.#clock.now()],
      ),
    );
    return rows.map(toScheduleAtWork);
  }

  /** Returns when the next run becomes due, milliseconds since 1970; null for none. */
  async findNextDue(): Promise<number | null> {
    const row = await this.#database.read((queries) =>
      queries.first<{ readonly next: number | null }>(
        'SELECT min(next_at) AS next FROM schedules WHERE next_at > $1',
        [this.#clock.now()],
      ),
    );
    return row?.next ?? null;
  }

  /**
   * Creates the job of a run and advances the schedule in one transaction: exactly once, even after a crash. Returns
   * the job's id; null for a run that is no longer due. Rejects `insufficient_credits` with nothing changed.
   * `monthlyCredits`: what its key may spend per month, null for no limit.
   */
  run(run: DueRun, credits: number, monthlyCredits: number | null = null): Promise<string | null> {
    return this.#database.transaction(async (queries) => {
      const row = await advance(queries, run);
      if (row === undefined) return null;
      const { id, account, endpoint, webhook_url, total: count } = row;
      const key = keyOf(row);
      const order = {
        ...{ account, endpoint, credits, count, inputBytes: 0, name: row.name ?? undefined },
        key: key === undefined ? undefined : { ...key, monthlyCredits },
        webhookUrl: webhook_url ?? undefined,
        lineOptions: lineOptionsOf(row),
      };
      const job = await this.#jobs.makeScheduled(queries, order, id, run.at);
      await queries.run('UPDATE schedules SET last_job = $1, last_error = NULL, credits = $2 WHERE id = $3', [
        job,
        credits === 0 ? row.credits : credits,
        id,
      ]);
      await addRun(queries, id, { ...runOf(run), job, error: null });
      return job;
    });
  }

  /** Records a run that could not be created, and advances the schedule. */
  async refuse(run: DueRun, code: ErrorCode): Promise<void> {
    await this.#database.transaction(async (queries) => {
      if ((await advance(queries, run)) === undefined) return;
      await queries.run('UPDATE schedules SET last_job = NULL, last_error = $1 WHERE id = $2', [
        code,
        run.id,
      ]);
      await addRun(queries, run.id, { ...runOf(run), job: null, error: code });
    });
  }

  /** Shifts the times of a schedule after the clock was set back; `at` becomes its last run. */
  async move(run: DueRun): Promise<void> {
    await this.#database.transaction((queries) => advance(queries, run));
  }

  /** Changes an unfinished schedule to the result of `change` for its row; undefined leaves it unchanged. */
  #change(
    account: string,
    id: string,
    change: (row: ScheduleRow, now: number) => readonly [ScheduleStatus, number | null] | undefined,
  ): Promise<Schedule> {
    return this.#database.transaction(async (queries) => {
      const row = await heldRow(queries, account, id);
      if (row.status === 'ended') throw new ExtractError('schedule_ended');
      const now = this.#clock.now();
      const state = change(row, now);
      return toSchedule(state === undefined ? row : await set(queries, row, ...state), now);
    });
  }
}

/** SQL for a schedule with a job that has unwritten lines: runs never overlap. */
const hasJobAtWork =
  'EXISTS (SELECT 1 FROM jobs WHERE jobs.lines < jobs.total AND jobs.schedule = schedules.id)';

const runOf = ({ at, expected, missed = 0 }: DueRun) => ({ at, planned_at: expected, missed });

/** Returns the row of an account's schedule. Rejects `schedule_not_found`. */
async function ownedRow(queries: Queries, account: string, id: string, lock: string): Promise<ScheduleRow> {
  const row = await queries.first<ScheduleRow>(`SELECT * FROM schedules WHERE id = $1 ${lock}`, [id]);
  if (row === undefined || row.account !== account) throw new ExtractError('schedule_not_found');
  return row;
}

/** Returns the row and locks it until the transaction ends. Rejects `schedule_not_found`. */
export const heldRow = (queries: Queries, account: string, id: string) =>
  ownedRow(queries, account, id, queries.dialect.forUpdate);

async function set(
  queries: Queries,
  row: ScheduleRow,
  status: ScheduleStatus,
  nextAt: number | null,
): Promise<ScheduleRow> {
  await queries.run('UPDATE schedules SET status = $1, next_at = $2 WHERE id = $3', [status, nextAt, row.id]);
  return { ...row, status, next_at: nextAt };
}

/** Advances a schedule and locks its row; undefined if another process has advanced, paused or ended it. */
function advance(queries: Queries, { id, expected, at, nextAt }: DueRun): Promise<ScheduleRow | undefined> {
  return queries.first<ScheduleRow>(
    'UPDATE schedules SET last = $1, next_at = $2 WHERE id = $3 AND next_at = $4 RETURNING *',
    [at, nextAt, id, expected],
  );
}
