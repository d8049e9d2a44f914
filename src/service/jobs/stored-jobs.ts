import { monotonicFactory } from 'ulid';
import type { Database } from '../../../lib/database/database.js';
import { afterEveryId, insertion, type Queries } from '../../../lib/database/queries.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { balanceOf } from '../../../lib/ledger/balances.js';
import { checkReserve, inputsWith, reserveInputs } from '../../../lib/ledger/job-entries.js';
import { WhereClause } from '../../../lib/ledger/where-clause.js';
import type { Platform } from '../../../lib/platforms.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { defaultRetention } from '../../config/retention-config.js';
import { bytesOfInputs, checkInserted } from './account-storage.js';
import type { Idempotency, Job, JobFilter, JobPage, NewJob, ResultsProgress, UnfinishedJobs } from './job.js';
import {
  deleteUnlessMany,
  forgetInputs,
  forgetScheduleInputs,
  hasInputs,
  type InputTable,
  inputsOfJob,
  insertInputs,
  type OwnedInputs,
  stageInputs,
  withdrawInputs,
  withdrawUnneeded,
} from './job-inputs.js';
import { findAnswer, keepAnswer, takeKey } from './job-requests.js';
import { expiryOf, type JobRow, jobPage, lineOptionsText, toJob } from './job-row.js';
import { cancelJob, lockActive, lockJob, ownedBy, ownedJob } from './job-rows.js';
import type { JobWork } from './job-work.js';
import type { ScheduledJob } from './schedules/schedule.js';
import { endMemory } from './schedules/schedule-memory.js';
import { deleteSchedules, insertSchedule, setFirstJob } from './schedules/schedule-rows.js';

const nextId = monotonicFactory();

export interface StoredJobsOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Identifies this process in the ledger's rows. */
  readonly owner: string;
  readonly work: JobWork;
  /** Locks the account of a new job until the transaction ends. Rejects if it is deleted. */
  readonly holdAccount?: ((queries: Queries, account: string) => Promise<void>) | undefined;
  readonly resultDays?: number | undefined;
  /** True if large transactions delay others. Inputs are then written before their job, in several transactions. */
  readonly stagesInputs?: boolean;
}

/** Jobs in a database. A job, its money and its pending work change in the same transaction. */
export class StoredJobs {
  readonly resultDays: number;
  readonly #options: StoredJobsOptions;
  /** Inputs left by the deletion of accounts, to be deleted in batches. */
  readonly #deleted: (readonly [account: string, left: readonly OwnedInputs[]])[] = [];

  constructor(options: StoredJobsOptions) {
    this.resultDays = options.resultDays ?? defaultRetention.resultDays;
    this.#options = options;
  }

  /**
   * Creates a job and reserves its full price in one transaction. `answer` returns the text stored for repeated
   * requests. Returns the job; for a repeated request, `replayed` with that text. Rejects `insufficient_credits`,
   * `storage_full` and `idempotency_mismatch` with nothing changed.
   */
  async create(job: NewJob, answer: (job: Job, balance: number) => string) {
    const { database, clock, work } = this.#options;
    const { account, idempotency } = job;
    const replayed = idempotency === undefined ? null : await this.replay(account, idempotency);
    if (replayed !== null) return { ...replayed, replayed: true };
    const now = clock.now();
    const id = `job_${nextId(now)}`;
    const schedule = job.schedule === undefined ? null : `sched_${nextId(now)}`;
    const inputs = [schedule === null ? 'job_inputs' : 'schedule_inputs', schedule ?? id] as const;
    const { stagesInputs = false } = this.#options;
    await work.ready(now);
    try {
      if (stagesInputs) await stageInputs(database, account, ...inputs, job.inputs);
      const result = await this.#create(job, id, schedule, inputs, now, answer);
      if (stagesInputs && result.replayed) await withdrawInputs(database, account, ...inputs);
      return result;
    } catch (cause) {
      // A failed commit may be on disk nevertheless, so the inputs of an existing job stay.
      if (stagesInputs && (await this.#isMissing(id).catch(() => false)))
        await withdrawInputs(database, account, ...inputs).catch(() => undefined);
      throw cause;
    }
  }

  #toJob(row: JobRow): Job {
    return toJob(row, this.resultDays);
  }

  #isMissing(id: string): Promise<boolean> {
    return this.#options.database.read(
      async (queries) => (await queries.first('SELECT id FROM jobs WHERE id = $1', [id])) === undefined,
    );
  }

  #create(
    job: NewJob,
    id: string,
    schedule: string | null,
    inputs: readonly [InputTable, id: string],
    now: number,
    answer: (job: Job, balance: number) => string,
  ) {
    const { database, work, holdAccount, stagesInputs = false } = this.#options;
    const { account, idempotency } = job;
    return database.transaction(async (queries) => {
      await holdAccount?.(queries, account);
      if (idempotency !== undefined && !(await takeKey(queries, account, idempotency, id, now))) {
        const first = await findAnswer(queries, account, idempotency, now);
        if (first === null) throw new ExtractError('internal_error', 'The first answer no longer exists.');
        return { ...first, replayed: true };
      }
      const inputBytes = schedule === null ? bytesOfInputs(job.inputs) : 0;
      const order = { ...job, count: job.inputs.length, inputBytes };
      const row = await this.#insert(queries, id, order, schedule, now, async () => {
        if (!stagesInputs) await insertInputs(queries, ...inputs, job.inputs);
        else if (!(await hasInputs(queries, ...inputs)))
          throw new ExtractError('internal_error', 'The inputs were deleted while the job was created.');
      });
      if (job.schedule !== undefined && schedule !== null) {
        await insertSchedule(queries, schedule, job, job.schedule, now);
        await setFirstJob(queries, schedule, id);
      }
      await checkInserted(queries, job);
      await work.queue(queries, row);
      const text = answer(this.#toJob(row), (await balanceOf(queries, account)).credits);
      if (idempotency !== undefined) await keepAnswer(queries, account, idempotency, text);
      return { id, answer: text, replayed: false };
    });
  }

  /**
   * Creates the next job of a schedule, which reads the schedule's inputs, inside a transaction. Rejects
   * `insufficient_credits`.
   */
  async makeScheduled(queries: Queries, job: ScheduledJob, schedule: string, now: number): Promise<string> {
    const id = `job_${nextId(now)}`;
    await this.#options.work.queue(queries, await this.#insert(queries, id, job, schedule, now));
    return id;
  }

  forgetScheduleInputs(queries: Queries, schedule: string): Promise<readonly OwnedInputs[]> {
    return forgetScheduleInputs(queries, schedule, this.#options.stagesInputs);
  }

  async withdraw(account: string, list: readonly OwnedInputs[]): Promise<void> {
    // A sweep deletes those that remain after an error.
    for (const inputs of list)
      await withdrawUnneeded(this.#options.database, account, inputs).catch(() => undefined);
  }

  async withdrawDeleted(): Promise<void> {
    for (const [account, inputs] of this.#deleted.splice(0)) await this.withdraw(account, inputs);
  }

  /**
   * Creates a job's row and reserves its price. Inputs are written before the account's balance is locked, because the
   * account's calls wait for that lock.
   */
  async #insert(
    queries: Queries,
    id: string,
    job: ScheduledJob,
    schedule: string | null,
    now: number,
    writeInputs: () => Promise<void> = async () => undefined,
  ): Promise<JobRow> {
    const { account, key, name = null, endpoint, credits, count, inputBytes, webhookUrl = null } = job;
    const price = { job: id, account, endpoint, credits, count, at: now, key };
    await checkReserve(queries, price);
    const row = await queries.first<JobRow>(
      ...insertion(
        'INSERT INTO jobs',
        {
          ...{ id, account, endpoint, status: 'queued', credits, total: count, created_at: now },
          ...{
            key_id: key?.id ?? null,
            key_name: key?.name ?? null,
            schedule,
            name,
            input_bytes: inputBytes,
          },
          webhook_url: webhookUrl,
          webhook_state: webhookUrl === null ? null : 'pending',
          webhook_id: webhookUrl === null ? null : `whd_${nextId(now)}`,
          line_options: lineOptionsText(job.lineOptions),
        },
        'RETURNING *',
      ),
    );
    await writeInputs();
    await reserveInputs(queries, price, this.#options.owner);
    return row as JobRow;
  }

  /** Returns the job and the response for an idempotency key, or null. Rejects `idempotency_mismatch`. */
  replay(account: string, idempotency: Idempotency) {
    const { database, clock } = this.#options;
    return database.read((queries) => findAnswer(queries, account, idempotency, clock.now()));
  }

  /** Rejects `job_not_found`. */
  async find(account: string, id: string): Promise<Job> {
    return this.#toJob(await this.#owned(account, id));
  }

  /** Returns how much of its results exists. Rejects `job_not_found`, `results_expired`. */
  async readProgress(account: string, id: string): Promise<ResultsProgress> {
    const { lines, bytes, total } = await this.withResults(account, id);
    return { lines, bytes, total };
  }

  /** Returns the row of an account's job. Rejects `job_not_found`, `results_expired`. */
  async withResults(account: string, id: string): Promise<JobRow> {
    const row = await this.#owned(account, id);
    const expiry = expiryOf(row, this.resultDays);
    const isOver = expiry !== null && this.#options.clock.now() >= expiry;
    if (isOver || row.deleted === 1) throw new ExtractError('results_expired');
    return row;
  }

  /** Returns an account's jobs, newest first, before the one with that id, filtered by platforms and more. */
  async list(
    account: string,
    limit: number,
    before: string | undefined,
    platforms: readonly Platform[] | null = null,
    filter: JobFilter = {},
  ): Promise<JobPage> {
    const rows = await this.#options.database.read((queries) => {
      const where = new WhereClause();
      where.add('account = ?', account);
      where.add('id < ?', before ?? afterEveryId);
      where.addPlatforms(platforms);
      const { endpoint, key, from, to, ended } = filter;
      if (endpoint !== undefined) where.add('endpoint = ?', endpoint);
      if (key !== undefined) where.add('key_id = ?', key);
      if (from !== undefined) where.add('created_at >= ?', from);
      if (to !== undefined) where.add('created_at < ?', to);
      if (ended !== undefined) where.add(ended === 'ok' ? 'completed > 0' : 'failed > 0');
      const max = where.value(limit + 1);
      return queries.rows<JobRow>(
        `SELECT * FROM jobs WHERE ${where.where} ORDER BY id DESC LIMIT ${max}`,
        where.values,
      );
    });
    return jobPage(rows, limit, this.resultDays);
  }

  /** Counts the cancellable jobs of an account. */
  async countActive(account: string): Promise<number> {
    const counts = await this.#options.database.read((queries) =>
      queries.first<{ readonly count: number }>(
        `SELECT count(*) AS count FROM jobs WHERE account = $1 AND status IN ('queued', 'running')`,
        [account],
      ),
    );
    return counts?.count ?? 0;
  }

  /** Returns the jobs of all accounts with unwritten lines: totals, and up to `limit` of them. */
  async summarizeUnfinished(limit: number): Promise<UnfinishedJobs> {
    return await this.#options.database.read(async (queries) => {
      const counts = await queries.first<{ readonly jobs: number; readonly inputs: number }>(
        'SELECT count(*) AS jobs, coalesce(sum(total - completed - failed), 0) AS inputs FROM jobs WHERE lines < total',
      );
      const rows = await queries.rows<JobRow>('SELECT * FROM jobs WHERE lines < total ORDER BY id LIMIT $1', [
        limit,
      ]);
      return {
        total: counts?.jobs ?? 0,
        inputs: counts?.inputs ?? 0,
        oldest: rows.map((row) => ({ job: this.#toJob(row), account: row.account })),
      };
    });
  }

  /** Returns the indexes of a job's failed inputs, in order. Rejects `job_not_found`. */
  async listFailedInputs(account: string, id: string): Promise<readonly number[]> {
    return await this.#options.database.read(async (queries) => {
      await ownedJob(queries, account, id);
      return inputsWith(queries, id, 'failed');
    });
  }

  /** Returns an input as JSON text. Rejects `internal_error` if it no longer exists. */
  async readInput(id: string, index: number): Promise<string> {
    const text = `SELECT input FROM ${inputsOfJob} AS inputs WHERE place = $2`;
    const row = await this.#options.database.read((queries) =>
      queries.first<{ readonly input: string }>({ name: 'jobs_input', text }, [id, index]),
    );
    if (row === undefined) throw new ExtractError('internal_error', `The job ${id} is gone.`);
    return row.input;
  }

  /** Ends every unfinished input. Rejects `job_not_found`, and `job_already_finished`, also for a cancelled job. */
  async cancel(account: string, id: string): Promise<Job> {
    const { database, clock, work } = this.#options;
    await work.ready(clock.now());
    return await database.transaction(async (queries) => {
      const row = ownedBy(account, await lockJob(queries, id));
      if (row.finished_at !== null) throw new ExtractError('job_already_finished');
      const cancelled = await cancelJob(queries, row, clock.now());
      await work.queueCancelled(queries, cancelled);
      return this.#toJob(cancelled);
    });
  }

  /** Stores which fields the answers of a finished job lacked, one sentence each. Ignores a deleted job. */
  async saveComparison(id: string, sentences: readonly string[]): Promise<void> {
    await this.#options.database.write((queries) =>
      queries.run('UPDATE jobs SET comparison = $1 WHERE id = $2', [JSON.stringify(sentences), id]),
    );
  }

  /** Returns these sentences; none while the job runs. Rejects `job_not_found`. */
  async readComparison(account: string, id: string): Promise<readonly string[]> {
    return JSON.parse((await this.#owned(account, id)).comparison ?? '[]') as readonly string[];
  }

  /**
   * Cancels and deletes an account's jobs with their inputs and idempotency keys, inside a transaction. Their rows in
   * the ledger stay. Their lines are unreachable, and swept later.
   */
  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    const { clock } = this.#options;
    const schedules = await deleteSchedules(queries, account);
    for (const row of await lockActive(queries, account)) {
      await cancelJob(queries, row, clock.now());
    }
    const open = await queries.rows<JobRow>('SELECT * FROM jobs WHERE account = $1 AND lines < total', [
      account,
    ]);
    await queries.run('DELETE FROM job_requests WHERE account = $1', [account]);
    await queries.run('DELETE FROM jobs WHERE account = $1', [account]);
    const inputs: OwnedInputs[] = [];
    const { stagesInputs } = this.#options;
    for (const { id, input_bytes: bytes } of schedules) {
      await endMemory(queries, id);
      inputs.push(...(await deleteUnlessMany(queries, ['schedule_inputs', id], bytes, stagesInputs)));
    }
    for (const row of open) inputs.push(...(await forgetInputs(queries, row, stagesInputs)));
    if (inputs.length > 0) this.#deleted.push([account, inputs]);
  }

  #owned(account: string, id: string): Promise<JobRow> {
    return this.#options.database.read((queries) => ownedJob(queries, account, id));
  }
}
