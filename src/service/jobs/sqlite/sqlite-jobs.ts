import { monotonicFactory } from 'ulid';
import type { Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { JobEntries } from '../../../../lib/ledger/sqlite/job-entries.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Platform } from '../../../../lib/platforms.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { bytesOfInputs, checkInserted } from '../account-storage.js';
import {
  cancelled,
  type EndedInput,
  type Extent,
  type Given,
  type Job,
  type JobAtWork,
  type NewJob,
  type ResultsProgress,
} from '../job.js';
import {
  type JobRow,
  jobPage,
  lineOptionsOf,
  lineOptionsText,
  retention,
  toJob,
  toJobAtWork,
} from '../job-row.js';
import type { Idempotency, JobFilter, JobPage, RunnerStore, UnfinishedJobs } from '../job-store.js';
import { forgetGiven, readGiven, rememberGiven } from '../schedules/given-rows.js';
import { deleteSchedules, insertSchedule, setLastJob } from '../schedules/schedule-rows.js';
import type { ScheduledJob, ScheduledJobs } from '../schedules/schedule-store.js';
import { JobInputs } from './job-inputs.js';
import { jobStatements } from './job-statements.js';
import { ScheduleInputs } from './schedule-inputs.js';

/** Milliseconds that the answer to an idempotency key is stored. */
const answerRetention = 24 * 3_600_000;

const nextId = monotonicFactory();

function fault(id: string): ExtractError {
  return new ExtractError('internal_error', `The job ${id} is gone.`);
}

/** Jobs in the file of the ledger, so that a job and its money are made, moved and ended together. */
export class SqliteJobs implements RunnerStore, ScheduledJobs {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #money: JobEntries;
  readonly #inputs: JobInputs;
  readonly #scheduleInputs: ScheduleInputs;
  readonly #sql;
  /** Jobs and schedules that were deleted with their account, whose inputs are still there. */
  readonly #deleted = new Set<string>();
  /** The last work on all rows of a job. */
  #last: Promise<void> = Promise.resolve();

  constructor(database: LedgerDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#money = new JobEntries(database.db);
    this.#inputs = new JobInputs(database);
    this.#scheduleInputs = new ScheduleInputs(database);
    this.#sql = jobStatements(database.db);
  }

  async create(job: NewJob, answer: (job: Job, balance: number) => string) {
    const { account, key, credits, inputs, idempotency } = job;
    const known = idempotency === undefined ? null : await this.replay(account, idempotency);
    if (known !== null) return { ...known, replayed: true };
    const now = this.#clock.now();
    const id = `job_${nextId(now)}`;
    const schedule = job.schedule === undefined ? null : `sched_${nextId(now)}`;
    await this.#database.read(() =>
      this.#money.checkBalance({ account, key, credits, count: inputs.length, at: now }),
    );
    try {
      if (schedule === null) await this.#inputs.add(id, inputs);
      else await this.#scheduleInputs.add(schedule, inputs);
      const made = await this.#alone(() =>
        this.#database.stores.transaction((queries) => this.#create(queries, id, job, schedule, answer)),
      );
      if (made.replayed) await this.#withdraw(id, schedule);
      return made;
    } catch (cause) {
      await this.#withdraw(id, schedule).catch(() => undefined);
      throw cause;
    }
  }

  /** Deletes the inputs of a job that was not made. One whose commit failed may have reached the disk all the same. */
  async #withdraw(id: string, schedule: string | null): Promise<void> {
    if ((await this.listMissing([id])).length === 0) return;
    await this.#inputs.remove(id);
    if (schedule !== null) await this.#scheduleInputs.removeUnneeded(schedule);
  }

  /** Makes the next job of a schedule, which reads the schedule's inputs; inside a transaction. Throws `insufficient_credits`. */
  async makeScheduled(_: Queries, job: ScheduledJob, schedule: string, now: number): Promise<string> {
    const id = `job_${nextId(now)}`;
    await this.#insert(id, job, schedule, now);
    return id;
  }

  removeUnneeded(schedule: string): Promise<void> {
    return this.#scheduleInputs.removeUnneeded(schedule);
  }

  async #create(
    queries: Queries,
    id: string,
    job: NewJob,
    schedule: string | null,
    answer: (job: Job, balance: number) => string,
  ) {
    const { account, idempotency } = job;
    const now = this.#clock.now();
    this.#sql.forgetRequests.run(now - answerRetention);
    const stored = idempotency === undefined ? undefined : this.#replay(account, idempotency);
    if (stored !== undefined) return { id: stored.job, answer: stored.answer, replayed: true };
    if (job.schedule !== undefined && schedule !== null) {
      await insertSchedule(queries, schedule, job, job.schedule, now);
    }
    const inputBytes = schedule === null ? bytesOfInputs(job.inputs) : 0;
    await this.#insert(id, { ...job, count: job.inputs.length, inputBytes }, schedule, now);
    await checkInserted(queries, job);
    if (schedule !== null) await setLastJob(queries, schedule, id);
    const text = answer(toJob(this.#row(id)), this.#database.entries.balance(account).credits);
    if (idempotency !== undefined) {
      this.#sql.insertRequest.run(account, idempotency.key, idempotency.digest, id, text, now);
    }
    return { id, answer: text, replayed: false };
  }

  /** Makes the row of a job and reserves its price. */
  async #insert(id: string, job: ScheduledJob, schedule: string | null, now: number): Promise<void> {
    const { account, key, name = null, endpoint, credits, count, inputBytes, webhookUrl = null } = job;
    await this.#money.reserve(
      { job: id, account, endpoint, credits, count, at: now, key },
      this.#database.owner,
    );
    this.#sql.insert.run({
      id,
      account,
      keyId: key?.id ?? null,
      keyName: key?.name ?? null,
      endpoint,
      credits,
      count,
      now,
      url: webhookUrl,
      state: webhookUrl === null ? null : 'pending',
      delivery: webhookUrl === null ? null : `whd_${nextId(now)}`,
      schedule,
      name,
      inputBytes,
      lineOptions: lineOptionsText(job.lineOptions),
    });
  }

  /** Runs a transaction on all rows of a job without others of that kind. Together they would take too long. */
  #alone<T>(transaction: () => Promise<T>): Promise<T> {
    const done = this.#last.then(transaction);
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  replay(account: string, idempotency: Idempotency) {
    return this.#database.read(() => {
      const stored = this.#replay(account, idempotency);
      return stored === undefined ? null : { id: stored.job, answer: stored.answer };
    });
  }

  find(account: string, id: string): Promise<Job> {
    return this.#database.read(() => toJob(this.#owned(account, id)));
  }

  readProgress(account: string, id: string): Promise<ResultsProgress> {
    return this.#database.read(() => {
      const { lines, bytes, total, deleted, finished_at } = this.#owned(account, id);
      const isOver = finished_at !== null && this.#clock.now() >= finished_at + retention;
      if (isOver || deleted === 1) throw new ExtractError('results_expired');
      return { lines, bytes, total };
    });
  }

  list(
    account: string,
    limit: number,
    before: string | undefined,
    platforms: readonly Platform[] | null = null,
    filter: JobFilter = {},
  ): Promise<JobPage> {
    return this.#database.read(() => {
      const wanted = platforms === null ? null : JSON.stringify(platforms);
      // Ids begin with their time, and “~” is behind all of them.
      const rows = this.#sql.list.all({
        ...{ account, before: before ?? '~', platforms: wanted, limit: limit + 1 },
        endpoint: filter.endpoint ?? null,
        key: filter.key ?? null,
        from: filter.from ?? null,
        to: filter.to ?? null,
        ended: filter.ended ?? null,
      });
      return jobPage(rows, limit);
    });
  }

  countActive(account: string): Promise<number> {
    return this.#database.read(() => this.#sql.active.all(account).length);
  }

  summarizeUnfinished(limit: number): Promise<UnfinishedJobs> {
    return this.#database.read(() => ({
      total: this.#sql.countUnfinished.get()?.jobs ?? 0,
      inputs: this.#sql.countUnfinished.get()?.inputs ?? 0,
      oldest: this.#sql.oldest.all(limit).map((row) => ({ job: toJob(row), account: row.account })),
    }));
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
    return this.#database.read(() => this.#money.pending(id));
  }

  listFailedInputs(account: string, id: string): Promise<readonly number[]> {
    return this.#database.read(() => {
      this.#owned(account, id);
      return this.#money.failed(id);
    });
  }

  readGiven(id: string, index: number): Promise<Given | null> {
    return this.#database.stores.read((queries) => readGiven(queries, id, index));
  }

  readInput(id: string, index: number): Promise<string> {
    return this.#database.read(() => {
      const input = this.#inputs.find(id, index);
      if (input === undefined) throw fault(id);
      return input;
    });
  }

  async begin(id: string): Promise<void> {
    await this.#database.write(() => this.#sql.begin.run(id));
  }

  async commit(id: string, ended: readonly EndedInput[], to: Extent): Promise<boolean> {
    const work = () => {
      const row = this.#row(id);
      if (row.status === 'cancelled') return null;
      const refunded = this.#money.end(id, row.account, ended);
      const failed = ended.filter(({ ending }) => ending.status === 'failed').length;
      this.#sql.count.run(ended.length - failed, failed, refunded, id);
      return this.#reach(row, to);
    };
    const isFinished = ended.some(({ given }) => given !== undefined)
      ? await this.#database.stores.transaction(async (queries) => {
          const reached = work();
          if (reached !== null) await rememberGiven(queries, id, ended);
          return reached;
        })
      : await this.#database.write(work);
    if (isFinished === true) await this.#forgetInputs(id);
    return isFinished !== null;
  }

  async restore(id: string, { lines, bytes, lateBytes }: Extent, lost: readonly number[]): Promise<void> {
    await this.#database.stores.transaction(async (queries) => {
      const row = this.#row(id);
      const { completed, failed } = this.#money.reopen(id, lost, this.#database.owner);
      this.#sql.reach.run(lines, bytes, lateBytes, id);
      this.#sql.count.run(-completed, -failed, 0, id);
      if (lineOptionsOf(row).new === true) await forgetGiven(queries, id, lost);
      if (row.status !== 'cancelled') return;
      const released = await this.#money.release(id, row.account, cancelled);
      this.#sql.count.run(0, released.inputs, released.credits, id);
    });
  }

  async advance(id: string, to: Extent): Promise<void> {
    if (await this.#database.write(() => this.#reach(this.#row(id), to))) await this.#forgetInputs(id);
  }

  cancel(account: string, id: string): Promise<Job> {
    const work = async () => {
      const row = this.#owned(account, id);
      if (row.finished_at !== null) throw new ExtractError('job_already_finished');
      await this.#cancel(row);
      return toJob(this.#row(id));
    };
    return this.#alone(() => this.#database.stores.transaction(work));
  }

  async saveComparison(id: string, sentences: readonly string[]): Promise<void> {
    await this.#database.write(() => this.#sql.compare.run(JSON.stringify(sentences), id));
  }

  readComparison(account: string, id: string): Promise<readonly string[]> {
    return this.#database.read(
      () => JSON.parse(this.#owned(account, id).comparison ?? '[]') as readonly string[],
    );
  }

  listExpired(): Promise<readonly string[]> {
    return this.#database.read(() => this.#sql.expired.all(this.#clock.now() - retention));
  }

  async sweepInputs(): Promise<void> {
    const deleted = new Set(this.#deleted);
    const now = this.#clock.now();
    await this.#inputs.sweep(deleted, now);
    await this.#scheduleInputs.sweep(deleted, now);
    for (const id of deleted) this.#deleted.delete(id);
  }

  listMissing(ids: readonly string[]): Promise<readonly string[]> {
    return this.#database.read(() => ids.filter((id) => this.#sql.byId.get(id) === undefined));
  }

  async forget(id: string): Promise<void> {
    await this.#database.write(() => this.#sql.forget.run(id));
  }

  /**
   * Cancels the jobs of an account and deletes them with their idempotency keys; inside a transaction. Their rows in
   * the ledger stay, and their inputs are left to `sweepInputs`.
   */
  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    for (const row of this.#sql.active.all(account)) await this.#cancel(row);
    for (const id of this.#sql.ids.all(account)) this.#deleted.add(id);
    this.#sql.deleteRequests.run(account);
    this.#sql.deleteJobs.run(account);
    for (const id of await deleteSchedules(queries, account)) this.#deleted.add(id);
  }

  async #cancel({ id, account }: JobRow): Promise<void> {
    const released = await this.#money.release(id, account, cancelled);
    this.#sql.count.run(0, released.inputs, released.credits, id);
    this.#sql.finish.run('cancelled', this.#clock.now(), id);
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

  /** Deletes a job's inputs. A failure is swept later: the job has ended all the same. */
  async #forgetInputs(id: string): Promise<void> {
    try {
      await this.#inputs.remove(id);
      const schedule = await this.#database.read(() => this.#sql.byId.get(id)?.schedule ?? null);
      if (schedule !== null) await this.#scheduleInputs.removeUnneeded(schedule);
    } catch {
      // As above.
    }
  }

  #replay(account: string, { key, digest }: Idempotency) {
    const stored = this.#sql.request.get(account, key, this.#clock.now() - answerRetention);
    if (stored === undefined) return undefined;
    if (stored.digest !== digest) throw new ExtractError('idempotency_mismatch');
    return stored;
  }

  #owned(account: string, id: string): JobRow {
    const row = this.#sql.byId.get(id);
    if (row === undefined || row.account !== account) throw new ExtractError('job_not_found');
    return row;
  }

  #row(id: string): JobRow {
    const row = this.#sql.byId.get(id);
    if (row === undefined) throw fault(id);
    return row;
  }
}
