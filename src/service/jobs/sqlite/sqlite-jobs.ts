import { oneAtATime } from '../../../../lib/database/one-at-a-time.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { endInputs, pendingInputs, releaseInputs, reopenInputs } from '../../../../lib/ledger/job-entries.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { type Clock, dayMs } from '../../../../lib/runtime/clock.js';
import { cancelled, type EndedInput, type Extent, type JobAtWork } from '../job.js';
import { forgetInputs, forgetStagedInputs, type OwnedInputs, readInputs } from '../job-inputs.js';
import { forgetAnswers } from '../job-requests.js';
import { type JobRow, lineOptionsOf, toJobAtWork } from '../job-row.js';
import type { RunnerStore } from '../job-store.js';
import type { JobWork } from '../job-work.js';
import { forgetGiven, rememberGiven } from '../schedules/given-rows.js';
import { recordEnded } from '../schedules/schedule-history.js';
import { StoredJobs, type StoredJobsOptions } from '../stored-jobs.js';
import { jobStatements } from './job-statements.js';

/** The runner looks for jobs by itself. */
const noWork: JobWork = {
  ready: async () => undefined,
  queue: async () => undefined,
  queueCancelled: async () => undefined,
};

/** The jobs of a data directory, with what its one runner keeps of them: they stand in the file of the ledger. */
export class SqliteJobs extends StoredJobs implements RunnerStore {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #sql;

  constructor(
    database: LedgerDatabase,
    options: Pick<StoredJobsOptions, 'clock' | 'money' | 'holdAccount' | 'resultDays'>,
  ) {
    const { clock } = options;
    super({ ...options, database: oneAtATime(database.stores), work: noWork, stagesInputs: true });
    this.#database = database;
    this.#clock = clock;
    this.#sql = jobStatements(database.db);
  }

  listUnfinished(): Promise<readonly JobAtWork[]> {
    return this.#database.read(() => this.#sql.unfinished.all().map(toJobAtWork));
  }

  findUnfinished(id: string): Promise<JobAtWork | null> {
    return this.#database.read(() => {
      const row = this.#sql.byId.get(id);
      return row === undefined ? null : toJobAtWork(row);
    });
  }

  listPendingInputs(id: string): Promise<readonly number[]> {
    return this.#database.stores.read((queries) => pendingInputs(queries, id));
  }

  readInputs(id: string, from: number): Promise<ReadonlyMap<number, string>> {
    return this.#database.stores.read((queries) => readInputs(queries, id, from));
  }

  async begin(id: string): Promise<void> {
    await this.#database.write(() => this.#sql.begin.run(id));
  }

  async commit(id: string, ended: readonly EndedInput[], to: Extent): Promise<boolean> {
    return await this.#reaching(async (queries, reach) => {
      const row = this.#row(id);
      if (row.status === 'cancelled') return false;
      const refunded = await endInputs(queries, id, row.account, ended);
      const failed = ended.filter(({ ending }) => ending.status === 'failed').length;
      this.#sql.count.run(ended.length - failed, failed, refunded, id);
      await recordEnded(queries, id, ended, this.#clock.now());
      if (ended.some(({ given }) => given !== undefined)) await rememberGiven(queries, id, ended);
      await reach(row, to);
      return true;
    });
  }

  async restore(id: string, { lines, bytes, lateBytes }: Extent, lost: readonly number[]): Promise<void> {
    await this.#database.stores.transaction(async (queries) => {
      const row = this.#row(id);
      const { completed, failed } = await reopenInputs(queries, id, lost, this.#database.owner);
      this.#sql.reach.run(lines, bytes, lateBytes, id);
      this.#sql.count.run(-completed, -failed, 0, id);
      if (lineOptionsOf(row).new === true) await forgetGiven(queries, id, lost);
      if (row.status !== 'cancelled') return;
      const released = await releaseInputs(queries, id, row.account, cancelled);
      this.#sql.count.run(0, released.inputs, released.credits, id);
    });
  }

  async advance(id: string, to: Extent): Promise<void> {
    await this.#reaching((_, reach) => reach(this.#row(id), to));
  }

  async countArchive(id: string, bytes: number): Promise<void> {
    await this.#database.write(() => this.#sql.countArchive.run(bytes, id));
  }

  listExpired(): Promise<readonly string[]> {
    return this.#database.read(() => this.#sql.expired.all(this.#clock.now() - this.resultDays * dayMs));
  }

  listMissing(ids: readonly string[]): Promise<readonly string[]> {
    return this.#database.read(() => ids.filter((id) => this.#sql.byId.get(id) === undefined));
  }

  async forget(id: string): Promise<void> {
    await this.#database.write(() => this.#sql.forget.run(id));
  }

  async forgetAnswers(): Promise<void> {
    await this.#database.stores.write((queries) => forgetAnswers(queries, this.#clock.now()));
  }

  forgetStagedInputs(): Promise<void> {
    return forgetStagedInputs(this.#database.stores, this.#clock.now());
  }

  /** A transaction that may move the extent of a job. Behind its last line the inputs go: many of them piece by piece. */
  async #reaching<T>(
    work: (queries: Queries, reach: (row: JobRow, to: Extent) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    let account = '';
    let left: readonly OwnedInputs[] = [];
    const done = await this.#database.stores.transaction((queries) =>
      work(queries, async (row, to) => {
        if (!this.#reach(row, to)) return;
        account = row.account;
        left = await forgetInputs(queries, row, true);
      }),
    );
    await this.withdraw(account, left);
    return done;
  }

  /** Moves the extent; true when it holds every line now. */
  #reach(row: JobRow, { lines, bytes, lateBytes }: Extent): boolean {
    this.#sql.reach.run(lines, bytes, lateBytes, row.id);
    if (lines < row.total) return false;
    const now = this.#clock.now();
    if (row.status !== 'cancelled') this.#sql.finish.run('done', now, row.id);
    this.#sql.beginDelivery.run(now, row.id);
    return true;
  }

  #row(id: string): JobRow {
    const row = this.#sql.byId.get(id);
    if (row === undefined) throw new ExtractError('internal_error', `The job ${id} is gone.`);
    return row;
  }
}
