import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { Users } from '../../sqlite/users.js';
import type { Buyer, Pack, PaymentMethod, Purchase } from '../payments.js';
import { goneMs, isPayable, newPurchaseId, type PurchaseRow, toPurchase } from '../purchase-row.js';
import type { Purchases } from '../purchases.js';

/** Purchases in the file of the ledger: a receipt and its credits are written together. */
export class SqlitePurchases implements Purchases {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #users: Users;
  readonly #sql;

  constructor(database: LedgerDatabase, clock: Clock, users: Users) {
    const { db } = database;
    this.#database = database;
    this.#clock = clock;
    this.#users = users;
    this.#sql = {
      insert: db.prepare<[string, string, number, number | null, string, PaymentMethod, number]>(
        `INSERT INTO purchases (id, account, credits, amount, currency, method, status, created_at)
         VALUES (?, ?, ?, ?, ?, ?, 'open', ?)`,
      ),
      byId: db.prepare<[string], PurchaseRow>('SELECT * FROM purchases WHERE id = ?'),
      list: db.prepare<[string], PurchaseRow>(
        'SELECT * FROM purchases WHERE account = ? ORDER BY created_at DESC, id DESC',
      ),
      open: db.prepare<[string, number, PaymentMethod], PurchaseRow>(
        `SELECT * FROM purchases WHERE account = ? AND credits = ? AND method = ? AND status = 'open'
         ORDER BY created_at, id`,
      ),
      allOpen: db.prepare<[], PurchaseRow>(
        `SELECT * FROM purchases WHERE status = 'open' ORDER BY created_at DESC, id DESC`,
      ),
      pay: db.prepare<[number, string]>(
        `UPDATE purchases SET status = 'paid', paid_at = ?,
           receipt = (SELECT coalesce(max(receipt), 0) + 1 FROM purchases),
           company = (SELECT company FROM buyers WHERE buyers.account = purchases.account),
           tax_number = (SELECT tax_number FROM buyers WHERE buyers.account = purchases.account)
         WHERE id = ? AND status <> 'paid'`,
      ),
      buyer: db.prepare<[string], Buyer>('SELECT company, tax_number FROM buyers WHERE account = ?'),
      setBuyer: db.prepare<[string, string, string]>(
        'INSERT OR REPLACE INTO buyers (account, company, tax_number) VALUES (?, ?, ?)',
      ),
      removeBuyer: db.prepare<[string]>('DELETE FROM buyers WHERE account = ?'),
      submit: db.prepare<[number, string]>(
        `UPDATE purchases SET submitted_at = ? WHERE id = ? AND status = 'open'`,
      ),
      cancel: db.prepare<[string]>(
        `UPDATE purchases SET status = 'cancelled' WHERE id = ? AND status = 'open'`,
      ),
      cancelAll: db.prepare<[string]>(
        `UPDATE purchases SET status = 'cancelled' WHERE account = ? AND status = 'open'`,
      ),
      cancelGone: db.prepare<[string, number]>(
        `UPDATE purchases SET status = 'cancelled' WHERE account = ? AND status = 'open' AND method = 'stripe'
           AND submitted_at IS NULL AND created_at <= ?`,
      ),
    };
  }

  order(account: string, pack: Pack, method: PaymentMethod): Promise<Purchase> {
    return this.#database.write(() => {
      const now = this.#clock.now();
      this.#sql.cancelGone.run(account, now - goneMs);
      const same = this.#sql.open
        .all(account, pack.credits, method)
        .find((row) => row.amount === pack.amount && row.currency === pack.currency && isPayable(row, now));
      return toPurchase(same ?? this.#insert(account, pack, method, now));
    });
  }

  list(account: string): Promise<readonly Purchase[]> {
    return this.#database.read(() => this.#sql.list.all(account).map(toPurchase));
  }

  async find(account: string, id: string): Promise<Purchase | null> {
    const purchase = await this.get(id);
    return purchase?.account === account ? purchase : null;
  }

  get(id: string): Promise<Purchase | null> {
    return this.#database.read(() => {
      const row = this.#sql.byId.get(id);
      return row === undefined ? null : toPurchase(row);
    });
  }

  listOpen(limit: number) {
    return this.#database.read(() => {
      const now = this.#clock.now();
      const open = this.#sql.allOpen.all().filter((row) => isPayable(row, now));
      return { total: open.length, newest: open.slice(0, limit).map(toPurchase) };
    });
  }

  isPayable(id: string): Promise<boolean> {
    return this.#database.read(() => {
      const row = this.#sql.byId.get(id);
      return row !== undefined && isPayable(row, this.#clock.now());
    });
  }

  pay(id: string): Promise<Purchase['status']> {
    return this.#database.write(() => {
      const row = this.#sql.byId.get(id);
      if (row === undefined) throw new ExtractError('invalid_parameter', `There is no purchase ${id}.`);
      this.#pay(row, this.#clock.now());
      return row.status;
    });
  }

  payByHand(account: string, credits: number, currency: string): Promise<Purchase> {
    return this.#database.write(() => {
      const now = this.#clock.now();
      this.#users.byId(account);
      const [oldest] = this.#sql.open.all(account, credits, 'hand');
      const row = oldest ?? this.#insert(account, { credits, amount: null, currency }, 'hand', now);
      this.#pay(row, now);
      return toPurchase(this.#sql.byId.get(row.id) as PurchaseRow);
    });
  }

  async submit(id: string): Promise<void> {
    await this.#database.write(() => this.#sql.submit.run(this.#clock.now(), id));
  }

  async cancel(id: string): Promise<void> {
    await this.#database.write(() => this.#sql.cancel.run(id));
  }

  findBuyer(account: string): Promise<Buyer | null> {
    return this.#database.read(() => this.#sql.buyer.get(account) ?? null);
  }

  async setBuyer(account: string, buyer: Buyer | null): Promise<void> {
    await this.#database.write(() => {
      if (buyer === null) this.#sql.removeBuyer.run(account);
      else this.#sql.setBuyer.run(account, buyer.company, buyer.tax_number);
    });
  }

  /** Cancels the open orders of an account; inside a transaction. */
  deleteAccount({ account }: { readonly account: string }): void {
    this.#sql.cancelAll.run(account);
    this.#sql.removeBuyer.run(account);
  }

  #pay({ id, account, credits }: PurchaseRow, now: number): void {
    if (this.#sql.pay.run(now, id).changes === 0) return;
    this.#database.entries.grant({ id, account, credits, kind: 'pack', at: new Date(now).toISOString() });
  }

  #insert(account: string, pack: Pack, method: PaymentMethod, now: number): PurchaseRow {
    const { credits, amount, currency } = pack;
    const id = newPurchaseId(now);
    this.#sql.insert.run(id, account, credits, amount, currency, method, now);
    return this.#sql.byId.get(id) as PurchaseRow;
  }
}
