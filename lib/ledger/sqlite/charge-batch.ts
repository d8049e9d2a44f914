import type { Database, RunResult, Statement } from 'better-sqlite3';
import { ExtractError } from '../../errors/extract-error.js';
import type { Charge } from '../ledger.js';
import type { Balances } from './balances.js';

/** Rows of one statement at most. */
const maxRows = 64;

/** The values of a row: each call's own, and those that calls alike share, which are given but once. */
const ownRow = `(?, ?, ?, @now, ?, 'ok', ?, 1, ?, ?, ?)`;
const sharedRow = `(?, @account, ?, @now, @endpoint, 'ok', @credits, 1, @keyId, @keyName, @job)`;

/** True for calls that differ in id and time alone, as those of one who asks much of one endpoint. */
function alike(one: Charge, other: Charge): boolean {
  return (
    one.account === other.account &&
    one.endpoint === other.endpoint &&
    one.credits === other.credits &&
    one.key?.id === other.key?.id &&
    one.key?.name === other.key?.name &&
    one.job === other.job
  );
}

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
export class ChargeBatch {
  readonly #db: Database;
  readonly #balances: Balances;
  readonly #inserts = new Map<string, Statement<unknown[]>>();

  constructor(db: Database, balances: Balances) {
    this.#db = db;
    this.#balances = balances;
  }

  /**
   * Takes the prices and writes the rows, at `now` in milliseconds, and tells the balance after each. Null when an
   * account cannot pay its part; throws for an id that is there already. Either way what was written has to be undone.
   */
  pay(charges: readonly Charge[], now: number): number[] | null {
    const balances = new Map<string, number>();
    for (const [account, { sum, needsPack }] of duesOf(charges)) {
      const left = this.#balances.take(account, sum, needsPack);
      if (left === null) return null;
      balances.set(account, left + sum);
    }
    for (let from = 0; from < charges.length; from += maxRows) {
      this.#insert(charges.slice(from, from + maxRows), now);
    }
    return charges.map(({ account, credits }) => {
      const balance = (balances.get(account) ?? 0) - credits;
      balances.set(account, balance);
      return balance;
    });
  }

  #insert(charges: readonly Charge[], now: number): void {
    const { changes } = this.#inserted(charges, now);
    if (changes === charges.length) return;
    const ids = charges.map(({ id }) => `“${id}”`).join(', ');
    throw new ExtractError('internal_error', `A call with the id ${ids} was charged before.`);
  }

  #inserted(charges: readonly Charge[], now: number): RunResult {
    const [first] = charges;
    const values: (string | number | null)[] = [];
    if (first !== undefined && charges.every((charge) => alike(charge, first))) {
      for (const { id, at } of charges) values.push(id, at);
      const { account, endpoint, credits, key, job = null } = first;
      const shared = {
        now,
        account,
        endpoint,
        credits,
        keyId: key?.id ?? null,
        keyName: key?.name ?? null,
        job,
      };
      return this.#insertOf(charges.length, sharedRow).run(values, shared);
    }
    for (const { id, account, at, endpoint, credits, key, job } of charges) {
      values.push(id, account, at, endpoint, credits, key?.id ?? null, key?.name ?? null, job ?? null);
    }
    return this.#insertOf(charges.length, ownRow).run(values, { now });
  }

  #insertOf(rows: number, row: string): Statement<unknown[]> {
    const name = `${rows} ${row}`;
    const known = this.#inserts.get(name);
    if (known !== undefined) return known;
    const insert = this.#db.prepare<unknown[]>(
      `INSERT OR IGNORE INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, cached, key_id, key_name, job_id)
       VALUES ${Array.from({ length: rows }, () => row).join(', ')}`,
    );
    this.#inserts.set(name, insert);
    return insert;
  }
}
