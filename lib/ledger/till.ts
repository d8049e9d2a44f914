import type { Database, Statement } from 'better-sqlite3';
import { ExtractError } from '../errors.js';
import type { Charge } from './ledger.js';

/** Rows of one statement at most. */
const mostRows = 64;

/** Throws `internal_error` for what is no price. */
export function checkPrice(price: number): void {
  if (Number.isSafeInteger(price) && price >= 0) return;
  throw new ExtractError('internal_error', `${price} is not a price.`);
}

/** The sum of what each account is to pay, and whether a bought pack is asked of it. */
function duesOf(charges: readonly Charge[]) {
  const dues = new Map<string, { sum: number; needsPack: boolean }>();
  for (const { account, credits, needsPack } of charges) {
    checkPrice(credits);
    const due = dues.get(account) ?? { sum: 0, needsPack: false };
    due.sum += credits;
    due.needsPack ||= needsPack;
    dues.set(account, due);
  }
  return dues;
}

/**
 * The entries of calls that were answered at once, charged and ended in one. Of all entries they are made most often,
 * and many at a time: a group of them takes one statement for each account and one for all rows.
 */
export class Till {
  readonly #db: Database;
  readonly #take;
  readonly #inserts = new Map<number, Statement<(string | number | null)[]>>();

  constructor(db: Database) {
    this.#db = db;
    this.#take = db
      .prepare<[number, string, number, number], number>(
        `UPDATE accounts SET balance = balance - ? WHERE id = ? AND balance >= ? AND bought >= ?
         RETURNING balance`,
      )
      .pluck();
  }

  /**
   * Takes the prices and writes the rows, at `now` in milliseconds, and tells the balance after each. Null when an
   * account cannot pay its part; throws for an id that is there already. Either way what was written has to be undone.
   */
  pay(charges: readonly Charge[], now: number): number[] | null {
    const balances = new Map<string, number>();
    for (const [account, { sum, needsPack }] of duesOf(charges)) {
      const left = this.#take.get(sum, account, sum, needsPack ? 1 : 0);
      // An account that is not there can pay for what costs nothing.
      if (left === undefined && (sum > 0 || needsPack)) return null;
      balances.set(account, (left ?? 0) + sum);
    }
    for (let from = 0; from < charges.length; from += mostRows) {
      this.#insert(charges.slice(from, from + mostRows), now);
    }
    return charges.map(({ account, credits }) => {
      const balance = (balances.get(account) ?? 0) - credits;
      balances.set(account, balance);
      return balance;
    });
  }

  #insert(charges: readonly Charge[], now: number): void {
    const values: (string | number | null)[] = [];
    for (const { id, account, at, endpoint, credits, key, job } of charges) {
      values.push(id, account, at, now, endpoint, credits);
      values.push(key?.id ?? null, key?.name ?? null, job ?? null);
    }
    const { changes } = this.#insertOf(charges.length).run(...values);
    if (changes === charges.length) return;
    const ids = charges.map(({ id }) => `“${id}”`).join(', ');
    throw new ExtractError('internal_error', `A call with the id ${ids} was charged before.`);
  }

  #insertOf(rows: number): Statement<(string | number | null)[]> {
    const known = this.#inserts.get(rows);
    if (known !== undefined) return known;
    const row = `(?, ?, ?, ?, ?, 'ok', ?, 1, ?, ?, ?)`;
    const insert = this.#db.prepare<(string | number | null)[]>(
      `INSERT OR IGNORE INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, cached, key_id, key_name, job_id)
       VALUES ${Array.from({ length: rows }, () => row).join(', ')}`,
    );
    this.#inserts.set(rows, insert);
    return insert;
  }
}
