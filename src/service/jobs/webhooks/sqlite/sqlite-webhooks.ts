import type { Database } from '../../../../../lib/database/sqlite/driver.js';
import { ExtractError } from '../../../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../../../../lib/runtime/clock.js';
import type { Job, WebhookState } from '../../job.js';
import { type JobRow, toJob } from '../../job-row.js';
import {
  afterAttempt,
  isoOrNull,
  maxSecrets,
  newSecret,
  type SecretRow,
  secretOverlap,
  secretStateOf,
} from '../delivery-rules.js';
import type { Sent } from '../sender.js';
import type { Delivery, DueDelivery, SecretState, Webhooks } from '../webhooks.js';
import { DueTurns } from './due-turns.js';

interface AttemptRow {
  readonly number: number;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
}

function statements(db: Database) {
  return {
    job: db.prepare<[string], JobRow>('SELECT * FROM jobs WHERE id = ?'),
    next: db
      .prepare<[number], number | null>('SELECT min(webhook_due) FROM jobs WHERE webhook_due > ?')
      .pluck(),
    countFailed: db
      .prepare<[], number>(`SELECT count(*) FROM jobs WHERE deleted = 0 AND webhook_state = 'failed'`)
      .pluck(),
    failed: db.prepare<[number], JobRow>(
      `SELECT * FROM jobs WHERE deleted = 0 AND webhook_state = 'failed' ORDER BY finished_at DESC, id DESC LIMIT ?`,
    ),
    attempts: db.prepare<[string], AttemptRow>(
      'SELECT number, at, status, error FROM webhook_attempts WHERE job = ? ORDER BY number',
    ),
    forgetAttempts: db.prepare<[string]>('DELETE FROM webhook_attempts WHERE job = ?'),
    insertAttempt: db.prepare<[string, string, number, number | null, string | null]>(
      `INSERT INTO webhook_attempts (job, number, at, status, error)
       VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM webhook_attempts WHERE job = ?), ?, ?, ?)`,
    ),
    state: db.prepare<[WebhookState, number, number | null, string]>(
      'UPDATE jobs SET webhook_state = ?, webhook_tries = ?, webhook_due = ? WHERE id = ?',
    ),
    secrets: db.prepare<[string, number], SecretRow>(
      `SELECT number, secret, created_at, ends_at, shown FROM webhook_secrets
       WHERE account = ? AND (ends_at IS NULL OR ends_at > ?) ORDER BY number DESC`,
    ),
    insertSecret: db.prepare<[string, string, string, number, number]>(
      `INSERT INTO webhook_secrets (account, number, secret, created_at, shown)
       VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM webhook_secrets WHERE account = ?), ?, ?, ?)`,
    ),
    show: db.prepare<[string, number]>(
      'UPDATE webhook_secrets SET shown = 1 WHERE account = ? AND number = ?',
    ),
    retire: db.prepare<[number, string]>(
      'UPDATE webhook_secrets SET ends_at = ? WHERE account = ? AND ends_at IS NULL',
    ),
    deleteAttempts: db.prepare<[string]>(
      'DELETE FROM webhook_attempts WHERE job IN (SELECT id FROM jobs WHERE account = ?)',
    ),
    deleteSecrets: db.prepare<[string]>('DELETE FROM webhook_secrets WHERE account = ?'),
    forgetSecrets: db.prepare<[string, number, string]>(
      `DELETE FROM webhook_secrets WHERE account = ? AND (ends_at <= ?
         OR number <= (SELECT max(number) FROM webhook_secrets WHERE account = ?) + 1 - ${maxSecrets})`,
    ),
  };
}

/** Deliveries, their attempts and the secrets that sign them, in the file of the jobs. */
export class SqliteWebhooks implements Webhooks {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #sql;
  readonly #turns: DueTurns;

  constructor(database: LedgerDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#sql = statements(database.db);
    this.#turns = new DueTurns(database.db);
  }

  listDue(): Promise<readonly DueDelivery[]> {
    return this.#database.read(() =>
      this.#turns.next(this.#clock.now()).map((row) => ({
        job: toJob(row),
        account: row.account,
        id: row.webhook_id ?? '',
        url: row.webhook_url ?? '',
        tries: row.webhook_tries,
      })),
    );
  }

  findNextDue(): Promise<number | null> {
    return this.#database.read(() => this.#sql.next.get(this.#clock.now()) ?? null);
  }

  listFailed(limit: number) {
    return this.#database.read(() => ({
      total: this.#sql.countFailed.get() ?? 0,
      newest: this.#sql.failed.all(limit).map(({ id, account, webhook_url: url }) => {
        const last = this.#sql.attempts.all(id).at(-1);
        return {
          ...{ job: id, account, host: new URL(url ?? '').host },
          ...{ at: isoOrNull(last?.at ?? null), error: last?.error ?? null },
        };
      }),
    }));
  }

  async record({ job, tries }: DueDelivery, at: number, sent: Sent): Promise<void> {
    await this.#database.write(() => {
      this.#sql.insertAttempt.run(job.id, job.id, at, sent.status, sent.error);
      const { state, pauseMs } = afterAttempt(tries, sent);
      const due = pauseMs === null ? null : this.#clock.now() + pauseMs;
      this.#sql.state.run(state, tries + 1, due, job.id);
    });
  }

  async forget(id: string): Promise<void> {
    await this.#database.write(() => this.#sql.forgetAttempts.run(id));
  }

  findDelivery(account: string, id: string): Promise<Delivery> {
    return this.#database.read(() => {
      const row = this.#owned(account, id);
      return {
        id: row.webhook_id ?? '',
        url: row.webhook_url ?? '',
        state: row.webhook_state ?? 'pending',
        attempts: this.#sql.attempts
          .all(id)
          .map(({ at, ...rest }) => ({ ...rest, at: new Date(at).toISOString() })),
        next_attempt_at: isoOrNull(row.webhook_due),
      };
    });
  }

  redeliver(account: string, id: string): Promise<Job> {
    return this.#database.write(() => {
      const row = this.#owned(account, id);
      if (row.lines < row.total) throw new ExtractError('job_not_finished');
      this.#sql.state.run('pending', 0, this.#clock.now(), id);
      return toJob(this.#sql.job.get(id) as JobRow);
    });
  }

  async listSecrets(account: string): Promise<readonly string[]> {
    const now = this.#clock.now();
    const known = await this.#database.read(() => this.#sql.secrets.all(account, now));
    if (known.some(({ ends_at }) => ends_at === null)) return known.map(({ secret }) => secret);
    return this.#database.write(() => {
      const rows = this.#sql.secrets.all(account, now);
      if (!rows.some(({ ends_at }) => ends_at === null)) this.#newSecret(account, now, 0);
      return this.#sql.secrets.all(account, now).map(({ secret }) => secret);
    });
  }

  readSecretState(account: string): Promise<SecretState> {
    return this.#database.read(() => this.#secretState(account));
  }

  rotateSecret(account: string): Promise<SecretState & { readonly secret: string }> {
    return this.#database.write(() => {
      const now = this.#clock.now();
      const unseen = this.#sql.secrets.all(account, now).find(({ shown }) => shown === 0);
      if (unseen !== undefined) {
        this.#sql.show.run(account, unseen.number);
        return { secret: unseen.secret, ...this.#secretState(account) };
      }
      this.#sql.forgetSecrets.run(account, now, account);
      this.#sql.retire.run(now + secretOverlap, account);
      const secret = this.#newSecret(account, now, 1);
      return { secret, ...this.#secretState(account) };
    });
  }

  /** Deletes the attempts and secrets of an account, before its jobs are deleted; inside a transaction. */
  deleteAccount({ account }: { readonly account: string }): void {
    this.#sql.deleteAttempts.run(account);
    this.#sql.deleteSecrets.run(account);
  }

  #secretState(account: string): SecretState {
    return secretStateOf(this.#sql.secrets.all(account, this.#clock.now()));
  }

  #newSecret(account: string, now: number, shown: 0 | 1): string {
    const secret = newSecret();
    this.#sql.insertSecret.run(account, account, secret, now, shown);
    return secret;
  }

  #owned(account: string, id: string): JobRow {
    const row = this.#sql.job.get(id);
    if (row === undefined || row.account !== account) throw new ExtractError('job_not_found');
    if (row.webhook_url === null) throw new ExtractError('invalid_parameter', 'The job has no webhook.');
    return row;
  }
}
