import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../database/sqlite/driver.js';
import type { ErrorCode } from '../../errors/extract-error.js';
import { dayMs } from '../../runtime/clock.js';
import { type EndedEntry, inputId, inputIndex, type Reserve } from '../job-input.js';
import { checkJobFunds, endAll, releaseInputsText, reopen } from '../job-postings.js';
import { monthOf } from '../key-limit.js';
import { Balances } from './balances.js';
import { KeyMonths } from './key-months.js';
import { UnitStore } from './unit-store.js';
import { UsageSums } from './usage-sums.js';

/** Rows that are inserted in one turn of the event loop. */
const rowsATurn = 2_000;
/** Rows that are released in one turn: a changed row takes several times as long as an inserted one. */
const releasedATurn = 500;

/** The credits that unended inputs hold, grouped as the sums are: a job has one group of each. */
interface HeldSum {
  readonly inputs: number;
  readonly credits: number;
  readonly key_id: string | null;
  readonly charged_at: number;
  readonly endpoint: string;
  readonly day: number;
}

/**
 * The ledger entries of jobs, each to be made inside a transaction. All rows of a job are there, pending and paid for,
 * as soon as the job is. Each is ended once.
 */
export class JobEntries {
  readonly #balances: Balances;
  readonly #months: KeyMonths;
  readonly #units: UnitStore;
  readonly #sums: UsageSums;
  readonly #reserve;
  readonly #held;
  readonly #release;
  readonly #ids;

  constructor(db: Database) {
    this.#balances = new Balances(db);
    this.#months = new KeyMonths(db);
    this.#units = new UnitStore(db, this.#balances, this.#months);
    this.#sums = new UsageSums(db);
    this.#reserve = db.prepare<Record<string, string | number | null>>(
      `WITH RECURSIVE inputs (input) AS (SELECT CAST(@from AS INTEGER) UNION ALL SELECT input + 1 FROM inputs WHERE input + 1 < @to)
       INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, key_id, key_name, job_id, owner)
       SELECT @job || ':' || input, @account, @at, @at, @endpoint, 'pending', @credits, @keyId, @keyName, @job, @owner
       FROM inputs`,
    );
    this.#held = db.prepare<[string], HeldSum>(
      `SELECT count(*) AS inputs, sum(credits_charged) AS credits, key_id, charged_at, endpoint,
         created_at / ${dayMs} * ${dayMs} AS day
       FROM usage WHERE job_id = ? AND status = 'pending' GROUP BY key_id, charged_at, endpoint, day`,
    );
    this.#release = db.prepare<{ 1: string; 2: string }>(
      releaseInputsText('id IN (SELECT value FROM json_each($1))'),
    );
    this.#ids = db
      .prepare<[string, string], string>('SELECT id FROM usage WHERE job_id = ? AND status = ?')
      .pluck();
  }

  /** Throws `insufficient_credits` when the account, or the key within its limit, cannot pay so many inputs. */
  checkBalance({ account, credits: price, count, key, at }: Omit<Reserve, 'job' | 'endpoint'>): void {
    const spent = key === undefined ? 0 : this.#months.spent(key.id, at);
    checkJobFunds({ credits: price, count, key, at }, this.#balances.of(account).credits, spent);
  }

  /**
   * Takes the price of every input for `owner`, inside a transaction that waits: ten thousand rows take 60 ms, so others
   * have their turn between pieces. Throws `insufficient_credits`.
   */
  async reserve(wanted: Reserve, owner: string): Promise<void> {
    const { job, account, endpoint, credits: price, count, at, key } = wanted;
    this.checkBalance(wanted);
    const row = { job, account, endpoint, credits: price, at, owner };
    for (let from = 0; from < count; from += rowsATurn) {
      const to = Math.min(from + rowsATurn, count);
      this.#reserve.run({ ...row, from, to, keyId: key?.id ?? null, keyName: key?.name ?? null });
      if (to < count) await setImmediate();
    }
    this.#balances.add(account, -price * count);
    if (key !== undefined) this.#months.add(key.id, monthOf(at), price * count);
  }

  /** Ends inputs of a job and gives back what they do not cost; returns that. Throws for one that has ended already. */
  end(job: string, account: string, inputs: readonly EndedEntry[]): number {
    const ids = inputs.map(({ index }) => inputId(job, index));
    const unit = this.#units.load({ ids, accounts: [account] }, 0);
    const refunded = endAll(unit, job, account, inputs);
    this.#units.store(unit);
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
    const ids = indexes.map((index) => inputId(job, index));
    const unit = this.#units.load({ ids, accounts: [] }, 0);
    const reopened = reopen(unit, ids, owner);
    this.#units.store(unit);
    return reopened;
  }

  /**
   * Ends every input that has not ended as failed, its price given back, inside a transaction that waits: ten thousand rows
   * take 50 ms. Resolves with their number and those credits.
   */
  async release(
    job: string,
    account: string,
    code: ErrorCode,
  ): Promise<{ readonly inputs: number; readonly credits: number }> {
    const held = { inputs: 0, credits: 0 };
    for (const { inputs, credits: some, key_id, charged_at, endpoint, day } of this.#held.all(job)) {
      const sum = { calls: inputs, failed: inputs, credits: 0 };
      this.#sums.add([{ account, day, endpoint, key: key_id ?? '', ...sum }]);
      held.inputs += inputs;
      held.credits += some;
      if (key_id !== null) this.#months.add(key_id, monthOf(charged_at), -some);
    }
    await setImmediate();
    const ids = this.#ids.all(job, 'pending');
    for (let from = 0; from < ids.length; from += releasedATurn) {
      await setImmediate();
      this.#release.run({ 1: JSON.stringify(ids.slice(from, from + releasedATurn)), 2: code });
    }
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
