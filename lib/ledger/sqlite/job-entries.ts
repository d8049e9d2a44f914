import type { ErrorCode } from '../../errors/extract-error.js';
import type { Database } from '../../sqlite/driver.js';
import {
  alreadyEnded,
  checkJobCost,
  type EndedEntry,
  endedPrice,
  inputId,
  inputIndex,
  type Reserve,
} from '../job-input.js';
import { Balances } from './balances.js';
import { KeyMonths } from './key-months.js';

interface PendingRow {
  readonly credits_charged: number;
  readonly credits_refunded: number;
  readonly charged_at: number;
  readonly key_id: string | null;
}

/** What the unended inputs hold, by the key and the time of their charge. A job has one of each. */
interface HeldSum {
  readonly inputs: number;
  readonly credits: number;
  readonly key_id: string | null;
  readonly charged_at: number;
}

/**
 * The ledger entries of jobs, each to be made inside a transaction. All rows of a job are there, pending and paid for,
 * as soon as the job is. Each is ended once.
 */
export class JobEntries {
  readonly #balances: Balances;
  readonly #months: KeyMonths;
  readonly #reserve;
  readonly #pending;
  readonly #end;
  readonly #ended;
  readonly #reopen;
  readonly #held;
  readonly #release;
  readonly #ids;

  constructor(db: Database) {
    this.#balances = new Balances(db);
    this.#months = new KeyMonths(db);
    this.#reserve = db.prepare<Record<string, string | number | null>>(
      `WITH RECURSIVE inputs (input) AS (SELECT 0 UNION ALL SELECT input + 1 FROM inputs WHERE input + 1 < @count)
       INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, key_id, key_name, job_id, owner)
       SELECT @job || ':' || input, @account, @at, @at, @endpoint, 'pending', @credits, @keyId, @keyName, @job, @owner
       FROM inputs`,
    );
    this.#pending = db.prepare<[string], PendingRow>(
      `SELECT credits_charged, credits_refunded, charged_at, key_id FROM usage WHERE id = ? AND status = 'pending'`,
    );
    this.#end = db.prepare<
      [string, string | null, number, number, number, number | null, number | null, string]
    >(
      `UPDATE usage SET status = ?, error_code = ?, credits_refunded = credits_refunded + ?, credits_charged = ?, cached = ?,
         created_at = coalesce(?, created_at), duration_ms = ?, owner = NULL
       WHERE id = ?`,
    );
    this.#ended = db
      .prepare<[string], 'ok' | 'failed'>(`SELECT status FROM usage WHERE id = ? AND status <> 'pending'`)
      .pluck();
    this.#reopen = db.prepare<[string, string]>(
      `UPDATE usage SET status = 'pending', error_code = NULL, cached = 0, duration_ms = NULL, owner = ? WHERE id = ?`,
    );
    this.#held = db.prepare<[string], HeldSum>(
      `SELECT count(*) AS inputs, sum(credits_charged) AS credits, key_id, charged_at
       FROM usage WHERE job_id = ? AND status = 'pending' GROUP BY key_id, charged_at`,
    );
    this.#release = db.prepare<[string, string]>(
      `UPDATE usage SET status = 'failed', error_code = ?, credits_refunded = credits_refunded + credits_charged, credits_charged = 0, owner = NULL
       WHERE job_id = ? AND status = 'pending'`,
    );
    this.#ids = db
      .prepare<[string, string], string>('SELECT id FROM usage WHERE job_id = ? AND status = ?')
      .pluck();
  }

  /** Throws `insufficient_credits` when the account, or the key within its limit, cannot pay so many inputs. */
  checkBalance({ account, credits: price, count, key, at }: Omit<Reserve, 'job' | 'endpoint'>): void {
    const cost = price * count;
    if (key !== undefined) this.#months.check({ key, credits: cost, at }, 'job');
    checkJobCost(cost, this.#balances.of(account).credits);
  }

  /** Takes the price of every input for `owner`. Throws `insufficient_credits`. */
  reserve(wanted: Reserve, owner: string): void {
    const { job, account, endpoint, credits: price, count, at, key } = wanted;
    this.checkBalance(wanted);
    this.#reserve.run({
      job,
      account,
      endpoint,
      credits: price,
      count,
      at,
      keyId: key?.id ?? null,
      keyName: key?.name ?? null,
      owner,
    });
    this.#balances.add(account, -price * count);
    if (key !== undefined) this.#months.take({ key, credits: price * count, at });
  }

  /** Ends inputs of a job and gives back what they do not cost; returns that. Throws for one that has ended already. */
  end(job: string, account: string, inputs: readonly EndedEntry[]): number {
    let refunded = 0;
    for (const { index, ending, at = null, durationMs = null } of inputs) {
      const id = inputId(job, index);
      const row = this.#pending.get(id);
      if (row === undefined) throw alreadyEnded(id);
      const price = endedPrice(row, ending, id);
      const given = row.credits_charged - price;
      const code = ending.status === 'failed' ? ending.code : null;
      const cached = ending.status === 'ok' && ending.cached ? 1 : 0;
      this.#end.run(ending.status, code, given, price, cached, at, durationMs, id);
      this.#months.giveBack(row.key_id, row.charged_at, given);
      refunded += given;
    }
    this.#balances.add(account, refunded);
    return refunded;
  }

  /**
   * Makes inputs of a job pending again whose lines were lost. No money moves. An input that holds its price keeps it,
   * and one whose price was given back is run for nothing. Returns how many had ended well, and how many had failed.
   */
  reopen(
    job: string,
    indexes: readonly number[],
    owner: string,
  ): { readonly completed: number; readonly failed: number } {
    let [completed, failed] = [0, 0];
    for (const index of indexes) {
      const id = inputId(job, index);
      const status = this.#ended.get(id);
      if (status === undefined) continue;
      this.#reopen.run(owner, id);
      if (status === 'ok') completed += 1;
      else failed += 1;
    }
    return { completed, failed };
  }

  /** Ends every input that has not ended as failed, its price given back. Returns their number and those credits. */
  release(
    job: string,
    account: string,
    code: ErrorCode,
  ): { readonly inputs: number; readonly credits: number } {
    const held = { inputs: 0, credits: 0 };
    for (const { inputs, credits: some, key_id, charged_at } of this.#held.all(job)) {
      held.inputs += inputs;
      held.credits += some;
      this.#months.giveBack(key_id, charged_at, some);
    }
    this.#release.run(code, job);
    this.#balances.add(account, held.credits);
    return held;
  }

  /** Indexes of the inputs that have not ended, in order. */
  pending(job: string): number[] {
    return this.#indexes(job, 'pending');
  }

  /** Indexes of the inputs that failed, in order. */
  failed(job: string): number[] {
    return this.#indexes(job, 'failed');
  }

  #indexes(job: string, status: 'pending' | 'failed'): number[] {
    return this.#ids
      .all(job, status)
      .map((id) => inputIndex(job, id))
      .sort((a, b) => a - b);
  }
}
