import type { Database, Statement } from '../../database/sqlite/driver.js';
import { ExtractError } from '../../errors/extract-error.js';
import { takeDue } from '../balances.js';
import { paidColumns, paidValues } from '../call-row.js';
import { type AccountDue, accountDues, balancesAfter, type KeyDue, keyDues } from '../dues.js';
import { monthOf } from '../key-limit.js';
import type { Charge } from '../ledger.js';
import { type SummedCall, sumChanges } from '../unit-of-work.js';
import { addSums } from '../usage-sums.js';

const endedWell = ({ account, endpoint, key, at, credits }: Charge): SummedCall => ({
  ...{ account, endpoint, key_id: key?.id ?? null, created_at: at },
  ...{ status: 'ok', credits_charged: credits },
});

const oneRow = `(${paidColumns.replaceAll(/\w+/g, '?')}, 'ok', 1)`;
/** Rows per statement. */
const maxRows = 64;

/**
 * Charges and ends calls answered from the cache. A group takes one statement per account and one for all rows, which
 * is three times as fast: 2.8 instead of 8.6 µs per call (2026-11).
 */
export class ChargeBatch {
  readonly #db: Database;
  readonly #takeDue;
  readonly #takeKeyDue;
  readonly #addSum;
  readonly #inserts = new Map<number, Statement<unknown[]>>();

  constructor(db: Database) {
    this.#db = db;
    this.#takeDue = db.prepare<{ due: number; account: string; pack: number }, number>(takeDue).pluck();
    this.#takeKeyDue = db.prepare<[string, string, number, number]>(
      `INSERT INTO key_months (key_id, month, credits) VALUES (?, ?, ?)
       ON CONFLICT (key_id, month) DO UPDATE SET credits = credits + excluded.credits
         WHERE credits + excluded.credits <= ?`,
    );
    this.#addSum = db.prepare<[string, number, string, string, number, number, number]>(
      addSums('VALUES (?, ?, ?, ?, ?, ?, ?)'),
    );
  }

  /**
   * Takes the prices and writes the rows, at `now` in milliseconds, and returns the balance after each. Returns null if
   * an account or a key's limit cannot cover its part. Throws for an id that already exists. In both cases the caller
   * rolls back.
   */
  pay(charges: readonly Charge[], now: number): number[] | null {
    const after = new Map<string, number>();
    const dues = accountDues(charges);
    if (!keyDues(charges).every((due) => this.#takeOfKey(due, now))) return null;
    for (const due of dues) {
      const balance = this.#take(due);
      if (balance === null) return null;
      after.set(due.account, balance);
    }
    for (let from = 0; from < charges.length; from += maxRows) {
      this.#insert(charges.slice(from, from + maxRows), now);
    }
    for (const sum of sumChanges(charges.map((charge) => [endedWell(charge), 1]))) {
      const { account, day, endpoint, key, calls, failed, credits } = sum;
      this.#addSum.run(account, day, endpoint, key, calls, failed, credits);
    }
    return balancesAfter(charges, dues, after);
  }

  #takeOfKey({ key, credits, limit }: KeyDue, now: number): boolean {
    return credits <= limit && this.#takeKeyDue.run(key, monthOf(now), credits, limit).changes === 1;
  }

  /** Takes credits if the account has them, and a bought pack if one is required. Returns the new balance, or null. */
  #take({ account, credits, needsPack }: AccountDue): number | null {
    const balance = this.#takeDue.get({ due: credits, account, pack: needsPack ? 1 : 0 });
    if (balance !== undefined) return balance;
    // An account without a row can only pay for what is free.
    return credits === 0 && !needsPack ? 0 : null;
  }

  #insert(charges: readonly Charge[], now: number): void {
    const values: (string | number | null)[] = [];
    for (const charge of charges) values.push(...paidValues(charge, now));
    if (this.#insertOf(charges.length).run(values).changes === charges.length) return;
    const ids = charges.map(({ id }) => `“${id}”`).join(', ');
    throw new ExtractError('internal_error', `A call with the ID ${ids} was charged before.`);
  }

  #insertOf(rows: number): Statement<unknown[]> {
    const prepared = this.#inserts.get(rows);
    if (prepared !== undefined) return prepared;
    const insert = this.#db.prepare<unknown[]>(
      `INSERT OR IGNORE INTO usage (${paidColumns}, status, cached) VALUES ${Array.from({ length: rows }, () => oneRow).join(', ')}`,
    );
    this.#inserts.set(rows, insert);
    return insert;
  }
}
