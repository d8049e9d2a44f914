import type { Database } from '../../database/sqlite/driver.js';
import { type CallRow, callColumns, UnitOfWork } from '../unit-of-work.js';
import type { Balances } from './balances.js';
import type { KeyMonths } from './key-months.js';
import { UsageSums } from './usage-sums.js';

/** SQLite has numbers for what is true or false. */
type StoredRow = Omit<CallRow, 'cached'> & { readonly cached: 0 | 1 };

/** The part of the books that a posting needs. */
export interface UnitNeeds {
  /** Ids of calls; their accounts are loaded as well. */
  readonly ids: readonly string[];
  readonly accounts: readonly string[];
  /** Ids of keys whose limit is to be kept. */
  readonly keys?: readonly string[];
}

const { all, changing } = callColumns;
const staying = changing.filter((name) => name !== 'created_at');

const valuesOf = (row: CallRow, names: readonly (keyof CallRow)[]) =>
  names.map((name) => (name === 'cached' ? Number(row.cached) : row[name]));

/** Loads parts of the books, and stores what postings have changed; inside a write transaction. */
export class UnitStore {
  readonly #balances: Balances;
  readonly #months: KeyMonths;
  readonly #sums: UsageSums;
  readonly #row;
  readonly #insert;
  readonly #update;
  readonly #move;

  constructor(db: Database, balances: Balances, months: KeyMonths) {
    this.#balances = balances;
    this.#months = months;
    this.#sums = new UsageSums(db);
    this.#row = db.prepare<[string], StoredRow>(`SELECT ${all.join(', ')} FROM usage WHERE id = ?`);
    this.#insert = db.prepare<unknown[]>(
      `INSERT INTO usage (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`,
    );
    // The rows lie in the order of their time: one whose time stays is changed where it lies.
    this.#update = db.prepare<unknown[]>(
      `UPDATE usage SET ${staying.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    );
    this.#move = db.prepare<[number, string]>('UPDATE usage SET created_at = ? WHERE id = ?');
  }

  load({ ids, accounts, keys = [] }: UnitNeeds, now: number): UnitOfWork {
    const rows = ids.flatMap((id) => {
      const row = this.#row.get(id);
      return row === undefined ? [] : [{ ...row, cached: row.cached === 1 }];
    });
    const owners = new Set([...accounts, ...rows.map(({ account }) => account)]);
    return new UnitOfWork({
      balances: [...owners].map((account) => ({ account, ...this.#balances.of(account) })),
      rows,
      spent: new Map(keys.map((key) => [key, this.#months.spent(key, now)])),
      now,
    });
  }

  store(unit: UnitOfWork): void {
    const { inserts, updates } = unit.written;
    for (const row of inserts) this.#insert.run(valuesOf(row, all));
    for (const row of updates) {
      this.#update.run(...valuesOf(row, staying), row.id);
      if (unit.isMoved(row)) this.#move.run(row.created_at, row.id);
    }
    for (const [account, credits] of unit.moved) this.#balances.add(account, credits);
    for (const { key, month, credits } of unit.months) this.#months.add(key, month, credits);
    this.#sums.add(unit.sums);
  }
}
