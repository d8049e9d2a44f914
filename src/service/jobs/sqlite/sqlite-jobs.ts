import type { Database } from '../../../../lib/database/database.js';
import { oneAtATime } from '../../../../lib/database/one-at-a-time.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import { type Clock, dayMs } from '../../../../lib/runtime/clock.js';
import type { JobAtWork } from '../job.js';
import { forgetStagedInputs } from '../job-inputs.js';
import { forgetAnswers } from '../job-requests.js';
import { type JobRow, toJobAtWork } from '../job-row.js';
import type { JobWork } from '../job-work.js';
import { resultsDay } from '../results-day.js';
import { StoredJobs, type StoredJobsOptions } from '../stored-jobs.js';

/** The runner searches for jobs itself. */
const noWork: JobWork = {
  ready: async () => undefined,
  queue: async () => undefined,
  queueCancelled: async () => undefined,
};

/** Lines deleted per transaction, and how many milliseconds that blocks the event loop. */
const [linesAtOnce, pieceMs] = [200, 2];

/** The jobs of a data directory in its ledger's file, and their lines in a separate file. */
export class SqliteJobs extends StoredJobs {
  readonly #database: LedgerDatabase['stores'];
  readonly #results: Database;
  readonly #clock: Clock;

  constructor(
    { stores }: Pick<LedgerDatabase, 'stores'>,
    results: Database,
    options: Pick<StoredJobsOptions, 'clock' | 'owner' | 'holdAccount' | 'resultDays'>,
  ) {
    const { clock } = options;
    super({ ...options, database: oneAtATime(stores), work: noWork, stagesInputs: true });
    this.#database = stores;
    this.#results = results;
    this.#clock = clock;
  }

  listUnfinished(): Promise<readonly JobAtWork[]> {
    return this.#database.read(async (queries) =>
      (await queries.rows<JobRow>('SELECT * FROM jobs WHERE lines < total ORDER BY id')).map(toJobAtWork),
    );
  }

  /** Returns the jobs whose results have expired. */
  async listExpired(): Promise<readonly string[]> {
    const text = 'SELECT id FROM jobs WHERE finished_at <= $1 AND deleted = 0 AND lines = total';
    const until = this.#clock.now() - this.resultDays * dayMs;
    const rows = await this.#database.read((queries) => queries.rows<{ readonly id: string }>(text, [until]));
    return rows.map(({ id }) => id);
  }

  /** Deletes the lines of a job, and records that in its row. */
  async forget(id: string): Promise<void> {
    const row = await this.#database.read((queries) =>
      queries.first<JobRow>('SELECT * FROM jobs WHERE id = $1', [id]),
    );
    // Lines first, so that a job whose row says so has none left.
    if (row !== undefined) await this.#deleteLines(resultsDay(row.created_at), id);
    await this.#database.write((queries) => queries.run('UPDATE jobs SET deleted = 1 WHERE id = $1', [id]));
  }

  async forgetLines(): Promise<void> {
    // From job to job by the key: a scan of all lines would block the event loop.
    const next = `SELECT day, job FROM job_results WHERE (day, job) > ($1, $2) ORDER BY day, job LIMIT 1`;
    const selectJob = 'SELECT 1 AS found FROM jobs WHERE id = $1 AND deleted = 0';
    for (let at: readonly [number, string] = [0, '']; ; ) {
      const [day, job] = at;
      const line = await this.#results.read((queries) =>
        queries.first<{ readonly day: number; readonly job: string }>(next, [day, job]),
      );
      if (line === undefined) return;
      at = [line.day, line.job];
      const row = await this.#database.read((queries) => queries.first(selectJob, [line.job]));
      if (row === undefined) await this.#deleteLines(...at);
    }
  }

  /** Deletes responses to idempotency keys after a day. */
  async forgetAnswers(): Promise<void> {
    await this.#database.write((queries) => forgetAnswers(queries, this.#clock.now()));
  }

  /**
   * Deletes inputs left by a killed process: of jobs not created within an hour, and of jobs and schedules that have
   * ended.
   */
  forgetStagedInputs(): Promise<void> {
    return forgetStagedInputs(this.#database, this.#clock.now());
  }

  /** Deletes the lines of a job in batches, between which other work runs. */
  async #deleteLines(day: number, job: string): Promise<void> {
    const text = `DELETE FROM job_results WHERE day = $1 AND job = $2 AND place < $3 +
      (SELECT min(place) FROM job_results WHERE day = $1 AND job = $2)`;
    for (let deleted = 1; deleted > 0; ) {
      await accountTurns.next('', pieceMs);
      deleted = await this.#results.write((queries) => queries.run(text, [day, job, linesAtOnce]));
    }
  }
}
