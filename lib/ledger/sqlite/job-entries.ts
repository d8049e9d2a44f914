import type { Database } from 'better-sqlite3';
import { type ErrorCode, ExtractError } from '../../errors/extract-error.js';
import type { Charge } from '../ledger.js';

/** What a job takes at once: the price of each of its inputs. */
export interface Reserve extends Required<Pick<Charge, 'account' | 'endpoint' | 'credits' | 'key'>> {
  readonly job: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How an input of a job ended. `free`: an answer that costs nothing (`demo`). */
export type InputEnding =
  | { readonly status: 'ok'; readonly cached: boolean; readonly free: boolean }
  | { readonly status: 'failed'; readonly code: ErrorCode };

const credits = (count: number) => (count === 1 ? '1 credit' : `${count} credits`);

/** Id of the row of one input. */
export function inputId(job: string, index: number): string {
  return `${job}:${index}`;
}

/**
 * The entries that jobs make in the books, each to be made inside a transaction. A job's rows are all there, pending
 * and paid for, as soon as the job is; each is ended once.
 */
export class JobEntries {
  readonly #balance;
  readonly #move;
  readonly #reserve;
  readonly #end;
  readonly #release;
  readonly #places;

  constructor(db: Database) {
    this.#balance = db.prepare<[string], number>('SELECT balance FROM accounts WHERE id = ?').pluck();
    this.#move = db.prepare<[number, string]>('UPDATE accounts SET balance = balance + ? WHERE id = ?');
    this.#reserve = db.prepare<Record<string, string | number | null>>(
      `WITH RECURSIVE places (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place + 1 < @count)
       INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, key_id, key_name, job_id, owner)
       SELECT @job || ':' || place, @account, @at, @at, @endpoint, 'pending', @credits, @keyId, @keyName, @job, @owner
       FROM places`,
    );
    this.#end = db.prepare<[string, string | null, number, number, number, string]>(
      `UPDATE usage SET status = ?, error_code = ?, credits_charged = ?, credits_refunded = ?, cached = ?, owner = NULL
       WHERE id = ? AND status = 'pending'`,
    );
    this.#release = db.prepare<[string, string]>(
      `UPDATE usage SET status = 'failed', error_code = ?, credits_refunded = credits_charged, credits_charged = 0, owner = NULL
       WHERE job_id = ? AND status = 'pending'`,
    );
    this.#places = db
      .prepare<[string, string], string>('SELECT id FROM usage WHERE job_id = ? AND status = ?')
      .pluck();
  }

  /** Takes the price of every input for `owner`. Throws `insufficient_credits`. */
  reserve({ job, account, endpoint, credits: price, count, at, key }: Reserve, owner: string): void {
    const cost = price * count;
    const balance = this.#balance.get(account) ?? 0;
    if (balance < cost) {
      throw new ExtractError(
        'insufficient_credits',
        `The job costs ${credits(cost)} and the balance is ${credits(balance)}. Nothing was charged.`,
      );
    }
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
    this.#move.run(-cost, account);
  }

  /** Ends one input that costs `price`; false when it has ended already. What it gives back is moved by `refund`. */
  end(job: string, index: number, price: number, ending: InputEnding): boolean {
    const id = inputId(job, index);
    const ended =
      ending.status === 'failed'
        ? this.#end.run('failed', ending.code, 0, price, 0, id)
        : ending.free
          ? this.#end.run('ok', null, 0, price, 0, id)
          : this.#end.run('ok', null, price, 0, ending.cached ? 1 : 0, id);
    return ended.changes === 1;
  }

  /** Gives back what ended inputs no longer hold: in the transaction that ended them. */
  refund(account: string, amount: number): void {
    if (amount > 0) this.#move.run(amount, account);
  }

  /** Ends every input that has not ended as failed, its price given back. Gives their number. */
  release(job: string, account: string, price: number, code: ErrorCode): number {
    const { changes } = this.#release.run(code, job);
    this.refund(account, changes * price);
    return changes;
  }

  /** Places of the inputs that have not ended, in order. */
  pending(job: string): number[] {
    return this.#placesOf(job, 'pending');
  }

  /** Places of the inputs that failed, in order. */
  failed(job: string): number[] {
    return this.#placesOf(job, 'failed');
  }

  #placesOf(job: string, status: 'pending' | 'failed'): number[] {
    const begin = job.length + 1;
    return this.#places
      .all(job, status)
      .map((id) => Number(id.slice(begin)))
      .sort((a, b) => a - b);
  }
}
