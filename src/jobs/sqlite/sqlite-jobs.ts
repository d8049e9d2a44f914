import { monotonicFactory } from 'ulid';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { JobEntries } from '../../../lib/ledger/sqlite/job-entries.js';
import type { LedgerDatabase } from '../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import {
  cancelled,
  type EndedInput,
  type Extent,
  type Job,
  type JobAtWork,
  type JobPage,
  type JobStore,
  type NewJob,
  type ResultsStanding,
} from '../job.js';
import { type JobRow, jobAtWork, retention, shownJob } from './job-row.js';
import { jobStatements } from './job-statements.js';

/** Milliseconds that the answer to an idempotency key is kept. */
const answerKept = 24 * 3_600_000;

const nextId = monotonicFactory();

function fault(id: string): ExtractError {
  return new ExtractError('internal_error', `The job ${id} is gone.`);
}

/** Jobs in the file of the ledger, so that a job and its money are made, moved and ended together. */
export class SqliteJobs implements JobStore {
  readonly #books: LedgerDatabase;
  readonly #clock: Clock;
  readonly #money: JobEntries;
  readonly #sql;

  constructor(books: LedgerDatabase, clock: Clock) {
    this.#books = books;
    this.#clock = clock;
    this.#money = new JobEntries(books.db);
    this.#sql = jobStatements(books.db);
  }

  create(job: NewJob, answer: (job: Job, balance: number) => string) {
    return this.#books.write(() => {
      const { account, idempotency } = job;
      const now = this.#clock.now();
      this.#sql.forgetRequests.run(now - answerKept);
      const kept = idempotency === undefined ? undefined : this.#replay(account, idempotency);
      if (kept !== undefined) return { id: kept.job, answer: kept.answer, replayed: true };
      const id = `job_${nextId(now)}`;
      const { key, endpoint, credits, inputs, webhookUrl = null } = job;
      const count = inputs.length;
      this.#money.reserve({ job: id, account, endpoint, credits, count, at: now, key }, this.#books.owner);
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
      });
      for (let place = 0; place < count; place += 1) {
        this.#sql.insertInput.run(id, place, inputs[place] as string);
      }
      const text = answer(shownJob(this.#row(id)), this.#books.postings.balance(account).credits);
      if (idempotency !== undefined) {
        this.#sql.insertRequest.run(account, idempotency.key, idempotency.digest, id, text, now);
      }
      return { id, answer: text, replayed: false };
    });
  }

  replay(account: string, idempotency: NonNullable<NewJob['idempotency']>) {
    const kept = this.#replay(account, idempotency);
    return kept === undefined ? null : { id: kept.job, answer: kept.answer };
  }

  find(account: string, id: string): Job {
    return shownJob(this.#owned(account, id));
  }

  results(account: string, id: string): ResultsStanding {
    const { lines, bytes, total, deleted, finished_at } = this.#owned(account, id);
    const over = finished_at !== null && this.#clock.now() >= finished_at + retention;
    if (over || deleted === 1) throw new ExtractError('results_expired');
    return { lines, bytes, total };
  }

  list(account: string, limit: number, before: string | undefined): JobPage {
    // Ids begin with their time, and “~” is behind all of them.
    const rows = this.#sql.list.all(account, before ?? '~', limit + 1);
    const jobs = rows.slice(0, limit).map(shownJob);
    return { jobs, next: rows.length > limit ? (jobs.at(-1)?.id ?? null) : null };
  }

  unfinished(): readonly JobAtWork[] {
    return this.#sql.unfinished.all().map(jobAtWork);
  }

  atWork(id: string): JobAtWork | null {
    const row = this.#sql.byId.get(id);
    return row === undefined ? null : jobAtWork(row);
  }

  pending(id: string): readonly number[] {
    return this.#money.pending(id);
  }

  failed(account: string, id: string): readonly number[] {
    this.#owned(account, id);
    return this.#money.failed(id);
  }

  input(id: string, index: number): string {
    const input = this.#sql.input.get(id, index);
    if (input === undefined) throw fault(id);
    return input;
  }

  async begin(id: string): Promise<void> {
    await this.#books.write(() => this.#sql.begin.run(id));
  }

  commit(id: string, ended: readonly EndedInput[], to: Extent): Promise<boolean> {
    return this.#books.write(() => {
      const row = this.#row(id);
      if (row.status === 'cancelled') return false;
      const refunded = this.#money.end(id, row.account, ended);
      const failed = ended.filter(({ ending }) => ending.status === 'failed').length;
      this.#sql.count.run(ended.length - failed, failed, refunded, id);
      this.#reach(row, to);
      return true;
    });
  }

  async advance(id: string, to: Extent): Promise<void> {
    await this.#books.write(() => this.#reach(this.#row(id), to));
  }

  cancel(account: string, id: string): Promise<Job> {
    return this.#books.write(() => {
      const row = this.#owned(account, id);
      if (row.status === 'done') throw new ExtractError('job_already_finished');
      if (row.status !== 'cancelled') {
        const released = this.#money.release(id, account, cancelled);
        this.#sql.count.run(0, released.inputs, released.credits, id);
        this.#sql.finish.run('cancelled', this.#clock.now(), id);
      }
      return shownJob(this.#row(id));
    });
  }

  expired(): readonly string[] {
    return this.#sql.expired.all(this.#clock.now() - retention);
  }

  async forget(id: string): Promise<void> {
    await this.#books.write(() => this.#sql.forget.run(id));
  }

  #reach(row: JobRow, { lines, bytes, lateBytes }: Extent): void {
    this.#sql.reach.run(lines, bytes, lateBytes, row.id);
    if (lines < row.total) return;
    const now = this.#clock.now();
    if (row.status !== 'cancelled') this.#sql.finish.run('done', now, row.id);
    this.#sql.tell.run(now, row.id);
    this.#sql.forgetInputs.run(row.id);
  }

  #replay(account: string, { key, digest }: NonNullable<NewJob['idempotency']>) {
    const kept = this.#sql.request.get(account, key, this.#clock.now() - answerKept);
    if (kept === undefined) return undefined;
    if (kept.digest !== digest) throw new ExtractError('idempotency_mismatch');
    return kept;
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
