import type { Database } from '../../database/sqlite/driver.js';
import { ExtractError } from '../../errors/extract-error.js';
import type { Balance, Charge, Ending, Grant } from '../ledger.js';
import * as postings from '../postings.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { Balances } from './balances.js';
import { ChargeBatch } from './charge-batch.js';
import { KeyMonths } from './key-months.js';
import { type UnitNeeds, UnitStore } from './unit-store.js';

const needsOf = ({ id, account, key }: Charge): UnitNeeds => ({
  ids: [id],
  accounts: [account],
  keys: key === undefined ? [] : [key.id],
});

const needsRow = (id: string): UnitNeeds => ({ ids: [id], accounts: [] });

/**
 * The ledger's entries, each to be made inside a transaction. The rule of money is that of `postings`. The caller has
 * to undo an entry that throws.
 */
export class LedgerEntries {
  readonly #balances: Balances;
  readonly #units: UnitStore;
  readonly #batch: ChargeBatch;
  readonly #insertGrant;

  constructor(db: Database) {
    const months = new KeyMonths(db);
    this.#balances = new Balances(db);
    this.#units = new UnitStore(db, this.#balances, months);
    this.#batch = new ChargeBatch(db, this.#balances, months);
    this.#insertGrant = db.prepare<[string, string, number, string, number]>(
      'INSERT OR IGNORE INTO grants (id, account, credits, kind, created_at) VALUES (?, ?, ?, ?, ?)',
    );
  }

  balance(account: string): Balance {
    return { account, ...this.#balances.of(account) };
  }

  /** Takes the price for `owner`, the text of the process at work. `now` is the ledger's own time in milliseconds. */
  charge(charge: Charge, owner: string, now: number): void {
    this.#make(needsOf(charge), now, (unit) => postings.charge(unit, charge, owner));
  }

  /** A call that is answered already: charged and ended in one. Returns the balance. */
  pay(charge: Charge, owner: string, now: number): number {
    if (charge.resumes !== true) {
      const [balance] = this.#batch.pay([charge], now) ?? [];
      if (balance !== undefined) return balance;
    }
    return this.#make(needsOf(charge), now, (unit) => postings.pay(unit, charge, owner));
  }

  /** Does the work of `pay` for many calls that resume nothing. Throws when it cannot be done for all of them. */
  payTogether(charges: readonly Charge[], now: number): readonly number[] {
    const balances = this.#batch.pay(charges, now);
    if (balances === null) throw new ExtractError('insufficient_credits');
    return balances;
  }

  /** Ends a pending row, with the price given back when the call failed; leaves an ended one. Returns the balance. */
  settle(id: string, ending: Ending): number {
    return this.#make(needsRow(id), 0, (unit) => postings.settle(unit, id, ending));
  }

  /** Ends a row as given up, whether it had ended well or not at all; leaves a failed one. Returns the balance. */
  refund(id: string): number {
    return this.#make(needsRow(id), 0, (unit) => postings.refund(unit, id));
  }

  /** Adds credits, opening the account where there is none. Returns the balance. */
  grant(grant: Grant): number {
    const { id, account, credits, kind } = grant;
    const at = postings.checkGrant(grant);
    if (this.#insertGrant.run(id, account, credits, kind, at).changes === 1) {
      this.#balances.open(account, at);
      this.#balances.add(account, credits);
      if (kind === 'pack') this.#balances.markBought(account);
    }
    return this.balance(account).credits;
  }

  #make<T>(needs: UnitNeeds, now: number, post: (unit: UnitOfWork) => T): T {
    const unit = this.#units.load(needs, now);
    const value = post(unit);
    this.#units.store(unit);
    return value;
  }
}
