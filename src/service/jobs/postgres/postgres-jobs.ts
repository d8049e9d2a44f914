import { monotonicFactory } from 'ulid';
import type { Postgres } from '../../../../lib/database/postgres/postgres.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { balanceOf } from '../../../../lib/ledger/postgres/balances.js';
import { failedInputs, reserveInputs } from '../../../../lib/ledger/postgres/job-entries.js';
import type { Platform } from '../../../../lib/platforms.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { bytesOfInputs, checkInserted } from '../account-storage.js';
import type { Given, Job, NewJob, ResultsProgress } from '../job.js';
import { type JobRow, jobPage, lineOptionsText, retention, toJob } from '../job-row.js';
import type { Idempotency, JobFilter, JobPage, JobStore, UnfinishedJobs } from '../job-store.js';
import { readGiven } from '../schedules/given-rows.js';
import { deleteSchedules, insertSchedule, setLastJob } from '../schedules/schedule-rows.js';
import type { ScheduledJob, ScheduledJobs } from '../schedules/schedule-store.js';
import type { Engine } from './engine.js';
import { findAnswer, keepAnswer, takeKey } from './job-requests.js';
import { cancelJob, inputsOfJob, lockActive, lockJob, ownedBy, ownedJob } from './job-rows.js';
import { makeDay, type ResultsDays, resultsDay } from './results-days.js';
import { sendCancelled, sendSlices } from './slices.js';

const nextId = monotonicFactory();

export interface PostgresJobsOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly days: ResultsDays;
  /** Names this process in the ledger's rows. */
  readonly owner: string;
}

/** Jobs in PostgreSQL, where a job, its money and the work to be done are made, moved and ended together. */
export class PostgresJobs implements JobStore, ScheduledJobs {
  readonly #options: PostgresJobsOptions;

  constructor(options: PostgresJobsOptions) {
    this.#options = options;
  }

  async create(job: NewJob, answer: (job: Job, balance: number) => string) {
    const { postgres, clock, engine, days } = this.#options;
    const { account, idempotency } = job;
    const known = idempotency === undefined ? null : await this.replay(account, idempotency);
    if (known !== null) return { ...known, replayed: true };
    const now = clock.now();
    const id = `job_${nextId(now)}`;
    await engine.ready();
    await days.ensure(resultsDay(now));
    return await postgres.transaction(async (queries) => {
      if (idempotency !== undefined && !(await takeKey(queries, account, idempotency, id, now))) {
        const first = await findAnswer(queries, account, idempotency, now);
        if (first === null) throw new ExtractError('internal_error', 'The first answer is gone.');
        return { ...first, replayed: true };
      }
      const schedule = job.schedule === undefined ? null : `sched_${nextId(now)}`;
      const inputBytes = schedule === null ? bytesOfInputs(job.inputs) : 0;
      const order = { ...job, count: job.inputs.length, inputBytes };
      const row = await this.#insert(queries, id, order, schedule, now);
      if (job.schedule !== undefined && schedule !== null) {
        await insertSchedule(queries, schedule, job, job.schedule, now);
        await setLastJob(queries, schedule, id);
        await insertInputs(queries, 'schedule_inputs (schedule, place, input)', schedule, job.inputs);
      }
      await checkInserted(queries, job);
      if (schedule === null) await insertInputs(queries, 'job_inputs (job, place, input)', id, job.inputs);
      await sendSlices(engine, queries, row);
      const text = answer(toJob(row), (await balanceOf(queries, account)).credits);
      if (idempotency !== undefined) await keepAnswer(queries, account, idempotency, text);
      return { id, answer: text, replayed: false };
    });
  }

  /** Makes the next job of a schedule, which reads the schedule's inputs; inside a transaction. Rejects `insufficient_credits`. */
  async makeScheduled(queries: Queries, job: ScheduledJob, schedule: string, now: number): Promise<string> {
    const { engine } = this.#options;
    await makeDay(queries, resultsDay(now));
    const id = `job_${nextId(now)}`;
    const row = await this.#insert(queries, id, job, schedule, now);
    await sendSlices(engine, queries, row);
    return id;
  }

  async removeUnneeded(schedule: string): Promise<void> {
    await this.#options.postgres.transaction(async (queries) => {
      // Its jobs read its inputs: those that have not ended get them, before they go.
      await queries.run(
        `INSERT INTO job_inputs (job, place, input)
         SELECT jobs.id, place, input FROM jobs JOIN schedule_inputs ON schedule_inputs.schedule = jobs.schedule
         WHERE jobs.schedule = $1 AND jobs.lines < jobs.total
         FOR UPDATE OF jobs
         ON CONFLICT DO NOTHING`,
        [schedule],
      );
      await queries.run('DELETE FROM schedule_inputs WHERE schedule = $1', [schedule]);
    });
  }

  /** Makes the row of a job and reserves its price. */
  async #insert(
    queries: Queries,
    id: string,
    job: ScheduledJob,
    schedule: string | null,
    now: number,
  ): Promise<JobRow> {
    const { account, key, name = null, endpoint, credits, count, inputBytes, webhookUrl = null } = job;
    const reserve = { job: id, account, endpoint, credits, count, at: now, key };
    await reserveInputs(queries, reserve, this.#options.owner);
    const row = await queries.first<JobRow>(
      `INSERT INTO jobs (id, account, key_id, key_name, endpoint, status, credits, total, created_at,
         webhook_url, webhook_state, webhook_id, schedule, name, input_bytes, line_options)
       VALUES ($1, $2, $3, $4, $5, 'queued', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING *`,
      [
        ...[id, account, key?.id ?? null, key?.name ?? null, endpoint, credits, count, now],
        ...[webhookUrl, webhookUrl === null ? null : 'pending'],
        ...[webhookUrl === null ? null : `whd_${nextId(now)}`, schedule, name, inputBytes],
        lineOptionsText(job.lineOptions),
      ],
    );
    return row as JobRow;
  }

  replay(account: string, idempotency: Idempotency) {
    const { postgres, clock } = this.#options;
    return postgres.read((queries) => findAnswer(queries, account, idempotency, clock.now()));
  }

  async find(account: string, id: string): Promise<Job> {
    return toJob(await this.#owned(account, id));
  }

  async readProgress(account: string, id: string): Promise<ResultsProgress> {
    const { lines, bytes, total } = await this.withResults(account, id);
    return { lines, bytes, total };
  }

  /** The row of an account's job whose results are there. Rejects `job_not_found`, `results_expired`. */
  async withResults(account: string, id: string): Promise<JobRow> {
    const row = await this.#owned(account, id);
    const { deleted, finished_at } = row;
    const isOver = finished_at !== null && this.#options.clock.now() >= finished_at + retention;
    if (isOver || deleted === 1) throw new ExtractError('results_expired');
    return row;
  }

  async list(
    account: string,
    limit: number,
    before: string | undefined,
    platforms: readonly Platform[] | null = null,
    filter: JobFilter = {},
  ): Promise<JobPage> {
    const rows = await this.#options.postgres.read((queries) =>
      queries.rows<JobRow>(
        // Ids begin with their time, and “~” is behind all of them.
        `SELECT * FROM jobs WHERE account = $1 AND id < $2
           AND ($3::text[] IS NULL OR split_part(endpoint, '/', 1) = ANY($3)) AND ($4::text IS NULL OR endpoint = $4)
           AND ($5::text IS NULL OR key_id = $5) AND ($6::bigint IS NULL OR created_at >= $6)
           AND ($7::bigint IS NULL OR created_at < $7)
           AND ($8::text IS NULL OR ($8 = 'ok' AND completed > 0) OR ($8 = 'failed' AND failed > 0))
         ORDER BY id DESC LIMIT $9`,
        [
          ...[account, before ?? '~', platforms, filter.endpoint ?? null, filter.key ?? null],
          ...[filter.from ?? null, filter.to ?? null, filter.ended ?? null, limit + 1],
        ],
      ),
    );
    return jobPage(rows, limit);
  }

  async countActive(account: string): Promise<number> {
    const found = await this.#options.postgres.read((queries) =>
      queries.first<{ readonly count: number }>(
        `SELECT count(*) FROM jobs WHERE account = $1 AND status IN ('queued', 'running')`,
        [account],
      ),
    );
    return found?.count ?? 0;
  }

  async summarizeUnfinished(limit: number): Promise<UnfinishedJobs> {
    return await this.#options.postgres.read(async (queries) => {
      const counted = await queries.first<{ readonly jobs: number; readonly inputs: number }>(
        'SELECT count(*) AS jobs, coalesce(sum(total - completed - failed), 0) AS inputs FROM jobs WHERE lines < total',
      );
      const rows = await queries.rows<JobRow>('SELECT * FROM jobs WHERE lines < total ORDER BY id LIMIT $1', [
        limit,
      ]);
      return {
        total: counted?.jobs ?? 0,
        inputs: counted?.inputs ?? 0,
        oldest: rows.map((row) => ({ job: toJob(row), account: row.account })),
      };
    });
  }

  async listFailedInputs(account: string, id: string): Promise<readonly number[]> {
    return await this.#options.postgres.read(async (queries) => {
      await ownedJob(queries, account, id);
      return failedInputs(queries, id);
    });
  }

  readGiven(id: string, index: number): Promise<Given | null> {
    return this.#options.postgres.read((queries) => readGiven(queries, id, index));
  }

  async readInput(id: string, index: number): Promise<string> {
    const found = await this.#options.postgres.read((queries) =>
      queries.first<{ readonly input: string }>(
        `SELECT input FROM ${inputsOfJob} AS inputs WHERE place = $2`,
        [id, index],
      ),
    );
    if (found === undefined) throw new ExtractError('internal_error', `The job ${id} is gone.`);
    return found.input;
  }

  async cancel(account: string, id: string): Promise<Job> {
    const { postgres, clock, engine } = this.#options;
    await engine.ready();
    return await postgres.transaction(async (queries) => {
      const row = ownedBy(account, await lockJob(queries, id));
      if (row.finished_at !== null) throw new ExtractError('job_already_finished');
      const cancelled = await cancelJob(queries, row, clock.now());
      await sendCancelled(engine, queries, cancelled);
      return toJob(cancelled);
    });
  }

  async saveComparison(id: string, sentences: readonly string[]): Promise<void> {
    await this.#options.postgres.write((queries) =>
      queries.run('UPDATE jobs SET comparison = $1 WHERE id = $2', [JSON.stringify(sentences), id]),
    );
  }

  async readComparison(account: string, id: string): Promise<readonly string[]> {
    return JSON.parse((await this.#owned(account, id)).comparison ?? '[]') as readonly string[];
  }

  /**
   * Cancels the jobs of an account and deletes them with their inputs and idempotency keys; inside a transaction. Their rows
   * in the ledger stay. Their lines, which nobody can ask for any more, go with their day.
   */
  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    await deleteSchedules(queries, account);
    for (const row of await lockActive(queries, account))
      await cancelJob(queries, row, this.#options.clock.now());
    await queries.run('DELETE FROM job_requests WHERE account = $1', [account]);
    await queries.run('DELETE FROM jobs WHERE account = $1', [account]);
  }

  #owned(account: string, id: string): Promise<JobRow> {
    return this.#options.postgres.read((queries) => ownedJob(queries, account, id));
  }
}

/** Writes the inputs of a job or a schedule, by the table and its columns. */
async function insertInputs(queries: Queries, into: string, id: string, inputs: readonly string[]) {
  await queries.run(
    `INSERT INTO ${into}
     SELECT $1, place - 1, input FROM unnest($2::text[]) WITH ORDINALITY AS inputs (input, place)`,
    [id, inputs],
  );
}
