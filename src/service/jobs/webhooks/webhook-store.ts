import type { Database } from '../../../../lib/database/database.js';
import { isPastSql, type Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { isoOrNull } from '../../../../lib/read/iso-time.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { defaultRetention } from '../../../config/retention-config.js';
import type { Job, WebhookState } from '../job.js';
import { type JobRow, toJob } from '../job-row.js';
import type { DueAttempts } from './deliverer.js';
import { afterAttempt, maxPauseMs } from './delivery-rules.js';
import { DueJobs } from './due-jobs.js';
import type { AttemptOutcome } from './sender.js';
import { deleteSecrets, WebhookSecrets } from './webhook-secrets.js';
import type { Delivery, DueDelivery, FailedDelivery } from './webhooks.js';

interface AttemptRow {
  readonly number: number;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
}

/** Deliveries, their attempts, and the secrets that sign them. */
export class WebhookStore implements DueAttempts<DueDelivery> {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly secrets: WebhookSecrets;
  readonly #resultDays: number;
  readonly #due = new DueJobs();

  constructor(database: Database, clock: Clock, resultDays = defaultRetention.resultDays) {
    this.#resultDays = resultDays;
    this.#database = database;
    this.#clock = clock;
    this.secrets = new WebhookSecrets(database, clock);
  }

  async listDue(): Promise<readonly DueDelivery[]> {
    const rows = await this.#database.read((queries) => this.#due.next(queries, this.#clock.now()));
    return rows.map((row) => toDelivery(row, this.#resultDays));
  }

  async claim({ job: { id }, tries, due }: DueDelivery, ms: number): Promise<boolean> {
    const now = this.#clock.now();
    const claimed = await this.#database.write((queries) =>
      queries.run(
        `UPDATE jobs SET webhook_claimed = $1 WHERE id = $2 AND webhook_tries = $3 AND webhook_due = $4
           AND ${isPastSql('webhook_claimed', '$5', maxPauseMs)}`,
        [now + ms, id, tries, due, now],
      ),
    );
    return claimed > 0;
  }

  /** Extends the claim of an attempt in progress here to `ms` from now. */
  async extend({ job: { id }, tries, due }: DueDelivery, ms: number): Promise<void> {
    await this.#database.write((queries) =>
      queries.run(
        `UPDATE jobs SET webhook_claimed = $1
         WHERE id = $2 AND webhook_tries = $3 AND webhook_due = $4 AND webhook_claimed > 0`,
        [this.#clock.now() + ms, id, tries, due],
      ),
    );
  }

  async release({ job: { id }, tries, due }: DueDelivery): Promise<void> {
    await this.#database.write((queries) =>
      queries.run(
        'UPDATE jobs SET webhook_claimed = 0 WHERE id = $1 AND webhook_tries = $2 AND webhook_due = $3',
        [id, tries, due],
      ),
    );
  }

  async findNextDue(): Promise<number | null> {
    const row = await this.#database.read((queries) =>
      queries.first<{ readonly next: number | null }>(
        'SELECT min(webhook_due) AS next FROM jobs WHERE webhook_due > $1',
        [this.#clock.now()],
      ),
    );
    return row?.next ?? null;
  }

  /** Returns failed webhooks of jobs whose results still exist: the count, and some of the newest. */
  listFailed(limit: number) {
    return this.#database.read(async (queries) => {
      const row = await queries.first<{ readonly count: number }>(
        `SELECT count(*) AS count FROM jobs WHERE deleted = 0 AND webhook_state = 'failed'`,
      );
      const rows = await queries.rows<Pick<JobRow, 'id' | 'account' | 'webhook_url'> & AttemptRow>(
        `SELECT id, account, webhook_url, ${ofLastAttempt('at')}, ${ofLastAttempt('error')} FROM jobs
         WHERE deleted = 0 AND webhook_state = 'failed' ORDER BY finished_at DESC, id DESC LIMIT $1`,
        [limit],
      );
      const newest: readonly FailedDelivery[] = rows.map(({ id, account, webhook_url, at, error }) => ({
        ...{ job: id, account, host: new URL(webhook_url ?? '').host },
        ...{ at: isoOrNull(at), error },
      }));
      return { total: row?.count ?? 0, newest };
    });
  }

  /** Records an attempt that began at `at`, and decides what follows. */
  async record({ job, tries, due: dueAt }: DueDelivery, at: number, outcome: AttemptOutcome): Promise<void> {
    await this.#database.transaction(async (queries) => {
      // Locked, so that attempts of two processes are numbered one after the other.
      const row = await jobRow(queries, job.id, queries.dialect.forUpdate);
      if (row === undefined) return;
      await queries.run(
        `INSERT INTO webhook_attempts (job, number, at, status, error)
         VALUES ($1, (SELECT coalesce(max(number), 0) + 1 FROM webhook_attempts WHERE job = $1), $2, $3, $4)`,
        [job.id, at, outcome.status, outcome.error],
      );
      const { state, pauseMs } = afterAttempt(tries, outcome);
      const isCurrent = row.webhook_tries === tries && row.webhook_due === dueAt;
      // Another process made the same attempt and continued: an accepted delivery needs no further ones. An attempt
      // from before a redelivery decides nothing.
      const isTaken = state === 'delivered' && row.webhook_state !== 'delivered' && row.webhook_tries > tries;
      if (!isCurrent && !isTaken) return;
      const due = pauseMs === null ? null : this.#clock.now() + pauseMs;
      await setState(queries, job.id, state, Math.max(row.webhook_tries, tries + 1), due);
    });
  }

  async forget(id: string): Promise<void> {
    await this.#database.write((queries) => queries.run('DELETE FROM webhook_attempts WHERE job = $1', [id]));
  }

  /**
   * Returns the attempts of a job's webhook. Rejects `job_not_found`, and `invalid_parameter` for a job without one.
   */
  findDelivery(account: string, id: string): Promise<Delivery> {
    return this.#database.read(async (queries) => {
      const row = await ownedRow(queries, account, id, '');
      const attempts = await queries.rows<AttemptRow>(
        'SELECT number, at, status, error FROM webhook_attempts WHERE job = $1 ORDER BY number',
        [id],
      );
      return {
        id: row.webhook_id ?? '',
        url: row.webhook_url ?? '',
        state: row.webhook_state ?? 'pending',
        attempts: attempts.map(({ at, ...rest }) => ({ ...rest, at: new Date(at).toISOString() })),
        next_attempt_at: isoOrNull(row.webhook_due),
      };
    });
  }

  /** Restarts the delivery of a finished job. Rejects as `findDelivery` does, and `job_not_finished`. */
  redeliver(account: string, id: string): Promise<Job> {
    return this.#database.transaction(async (queries) => {
      const row = await ownedRow(queries, account, id, queries.dialect.forUpdate);
      if (row.lines < row.total) throw new ExtractError('job_not_finished');
      await this.#begin(queries, row);
      return toJob({ ...row, webhook_state: 'pending' }, this.#resultDays);
    });
  }

  /** Starts the delivery of a job that ends in this transaction. Does nothing without a webhook. */
  async begin(queries: Queries, id: string): Promise<void> {
    const row = await jobRow(queries, id, queries.dialect.forUpdate);
    if (row !== undefined && row.webhook_url !== null) await this.#begin(queries, row);
  }

  /** Deletes an account's attempts and secrets before its jobs, inside a transaction. */
  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    await queries.run('DELETE FROM webhook_attempts WHERE job IN (SELECT id FROM jobs WHERE account = $1)', [
      account,
    ]);
    await deleteSecrets(queries, account);
  }

  async #begin(queries: Queries, { id, webhook_due }: JobRow): Promise<void> {
    const now = this.#clock.now();
    // An attempt is identified by its time, which must differ from the time of an attempt in progress.
    await setState(queries, id, 'pending', 0, webhook_due === now ? now - 1 : now);
  }
}

/** SQL for a column of a job's last attempt. */
const ofLastAttempt = (column: 'at' | 'error') =>
  `(SELECT ${column} FROM webhook_attempts WHERE job = jobs.id ORDER BY number DESC LIMIT 1) AS ${column}`;

function toDelivery(row: JobRow, resultDays: number): DueDelivery {
  return {
    job: toJob(row, resultDays),
    account: row.account,
    id: row.webhook_id ?? '',
    url: row.webhook_url ?? '',
    tries: row.webhook_tries,
    due: row.webhook_due ?? 0,
  };
}

function jobRow(queries: Queries, id: string, lock: string): Promise<JobRow | undefined> {
  return queries.first<JobRow>(`SELECT * FROM jobs WHERE id = $1 ${lock}`, [id]);
}

async function setState(
  queries: Queries,
  id: string,
  state: WebhookState,
  tries: number,
  due: number | null,
): Promise<void> {
  await queries.run(
    'UPDATE jobs SET webhook_state = $1, webhook_tries = $2, webhook_due = $3, webhook_claimed = 0 WHERE id = $4',
    [state, tries, due, id],
  );
}

/** Returns the row of an account's job with a webhook. Rejects `job_not_found`, and `invalid_parameter` without one. */
async function ownedRow(queries: Queries, account: string, id: string, lock: string): Promise<JobRow> {
  const row = await jobRow(queries, id, lock);
  if (row === undefined || row.account !== account) throw new ExtractError('job_not_found');
  if (row.webhook_url === null) throw new ExtractError('invalid_parameter', 'The job has no webhook.');
  return row;
}
