import { ExtractError } from '../../errors/extract-error.js';
import type { Database } from '../../sqlite/driver.js';
import type { Balance, Charge, Ending, Grant } from '../ledger.js';
import { Balances } from './balances.js';
import { ChargeBatch, checkPrice } from './charge-batch.js';
import { KeyMonths } from './key-months.js';

interface HeldRow {
  readonly account: string;
  readonly status: 'pending' | 'ok' | 'failed';
  readonly credits_charged: number;
  readonly charged_at: number;
  readonly key_id: string | null;
}

const credits = (count: number) => (count === 1 ? '1 credit' : `${count} credits`);

function fault(message: string): ExtractError {
  return new ExtractError('internal_error', message);
}

/** ISO 8601 → milliseconds. */
function milliseconds(at: string): number {
  const time = Date.parse(at);
  if (Number.isNaN(time)) throw fault(`“${at}” is not a time.`);
  return time;
}

/** The key of a row that is charged again, with its limit where the charge knows it. */
function keyOf({ key_id: id }: HeldRow, { key }: Charge): Charge['key'] {
  if (id === null || id === key?.id) return id === null ? undefined : key;
  return { id, name: '' };
}

/**
 * The ledger's entries, each to be made inside a transaction. Every one moves the balance together with the row that
 * says why. They check first and write then; what throws has to be undone all the same.
 */
export class LedgerEntries {
  readonly #balances: Balances;
  readonly #months: KeyMonths;
  readonly #held;
  readonly #insertGrant;
  readonly #insertCharge;
  readonly #reopen;
  readonly #end;
  readonly #batch: ChargeBatch;

  constructor(db: Database) {
    this.#balances = new Balances(db);
    this.#months = new KeyMonths(db);
    this.#batch = new ChargeBatch(db, this.#balances, this.#months);
    this.#held = db.prepare<[string], HeldRow>(
      'SELECT account, status, credits_charged, charged_at, key_id FROM usage WHERE id = ?',
    );
    this.#insertGrant = db.prepare<[string, string, number, string, number]>(
      'INSERT OR IGNORE INTO grants (id, account, credits, kind, created_at) VALUES (?, ?, ?, ?, ?)',
    );
    this.#insertCharge = db.prepare<
      [string, string, number, number, string, number, string | null, string | null, string | null, string]
    >(
      `INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, credits_charged, key_id, key_name, job_id, owner)
       VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?)`,
    );
    this.#reopen = db.prepare<[number, number, string, number, string, string]>(
      `UPDATE usage SET status = 'pending', error_code = NULL, credits_refunded = 0, cached = 0, duration_ms = NULL,
         created_at = ?, charged_at = ?, endpoint = ?, credits_charged = ?, owner = ?
       WHERE id = ?`,
    );
    this.#end = db.prepare<[string, string | null, number, number, number, number | null, string]>(
      `UPDATE usage SET status = ?, error_code = ?, credits_charged = ?, credits_refunded = ?, cached = ?,
         duration_ms = coalesce(?, duration_ms), owner = NULL
       WHERE id = ?`,
    );
  }

  balance(account: string): Balance {
    return { account, ...this.#balances.of(account) };
  }

  /** Takes the price for `owner`, the text of the process at work. `now` is the ledger's own time in milliseconds. */
  charge(charge: Charge, owner: string, now: number): void {
    const { id, account, at, credits: price } = charge;
    const held = this.#held.get(id);
    if (held !== undefined && (charge.resumes !== true || held.account !== account)) {
      throw fault(`A call with the id “${id}” was charged before.`);
    }
    // What the row already holds is not taken again; 0 once it was given back.
    const due = price - (held?.credits_charged ?? 0);
    // The key that a row was made with stays the one that pays for it.
    const key = held === undefined ? charge.key : keyOf(held, charge);
    this.#affords({ ...charge, key }, due, now);
    if (held !== undefined) {
      this.#months.giveBack(held.key_id, held.charged_at, held.credits_charged);
      if (key !== undefined) this.#months.take({ key, credits: price, at: now });
      this.#reopen.run(at, now, charge.endpoint, price, owner, id);
      this.#balances.add(account, -due);
      return;
    }
    if (key !== undefined) this.#months.take({ key, credits: price, at: now });
    this.#insertCharge.run(
      id,
      account,
      at,
      now,
      charge.endpoint,
      price,
      charge.key?.id ?? null,
      charge.key?.name ?? null,
      charge.job ?? null,
      owner,
    );
    this.#balances.add(account, -price);
  }

  /** A call that is answered already: charged and ended in one. Returns the balance. */
  pay(charge: Charge, owner: string, now: number): number {
    const { id, credits: price } = charge;
    if (charge.resumes === true) {
      this.charge(charge, owner, now);
      return this.settle(id, { status: 'ok', cached: true, durationMs: charge.durationMs });
    }
    const [balance] = this.#batch.pay([charge], now) ?? [];
    if (balance !== undefined) return balance;
    this.#affords(charge, price, now);
    throw fault(`The call “${id}” cannot be charged.`);
  }

  /** What `pay` does, for many calls that resume nothing. Throws when it cannot be done for all of them. */
  payTogether(charges: readonly Charge[], now: number): readonly number[] {
    const balances = this.#batch.pay(charges, now);
    if (balances === null) throw new ExtractError('insufficient_credits');
    return balances;
  }

  /** Checks that the account, and the key within its limit, may be charged `due` for a call. */
  #affords({ account, credits: price, needsPack, key }: Charge, due: number, now: number): void {
    checkPrice(price);
    const { credits: balance, bought } = this.balance(account);
    if (needsPack && !bought) throw new ExtractError('fresh_not_available');
    if (key !== undefined) this.#months.check({ key, credits: due, at: now });
    if (balance >= due) return;
    throw new ExtractError(
      'insufficient_credits',
      `The call costs ${credits(price)}, the balance is ${credits(balance)}, and nothing was charged.`,
    );
  }

  /** Ends a pending row, with the price given back when the call failed; leaves an ended one. Returns the balance. */
  settle(id: string, ending: Ending): number {
    const row = this.#held.get(id);
    if (row === undefined) throw fault(`No call with the id “${id}” was charged.`);
    if (row.status === 'pending') {
      const price = row.credits_charged;
      const durationMs = ending.durationMs ?? null;
      if (ending.status === 'ok') {
        this.#end.run('ok', null, price, 0, ending.cached ? 1 : 0, durationMs, id);
      } else {
        this.#end.run('failed', ending.code, 0, price, 0, durationMs, id);
        this.#giveBack(row);
      }
    }
    return this.balance(row.account).credits;
  }

  /** Ends a row as given up, whether it had ended well or not at all; leaves a failed one. Returns the balance. */
  refund(id: string): number {
    const row = this.#held.get(id);
    if (row === undefined) throw fault(`No call with the id “${id}” was charged.`);
    if (row.status !== 'failed') {
      this.#end.run('failed', null, 0, row.credits_charged, 0, null, id);
      this.#giveBack(row);
    }
    return this.balance(row.account).credits;
  }

  /** Gives back what a row holds: to its account, and to its key's month. */
  #giveBack({ account, key_id, charged_at, credits_charged: price }: HeldRow): void {
    this.#balances.add(account, price);
    this.#months.giveBack(key_id, charged_at, price);
  }

  /** Adds credits, opening the account where there is none. Returns the balance. */
  grant(grant: Grant): number {
    if (!Number.isSafeInteger(grant.credits) || grant.credits <= 0) {
      throw fault(`${grant.credits} is not a number of credits to add.`);
    }
    const at = milliseconds(grant.at);
    if (this.#insertGrant.run(grant.id, grant.account, grant.credits, grant.kind, at).changes === 1) {
      this.#balances.open(grant.account, at);
      this.#balances.add(grant.account, grant.credits);
      if (grant.kind === 'pack') this.#balances.markBought(grant.account);
    }
    return this.balance(grant.account).credits;
  }
}
