import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { AuditStore } from '../../audit/audit-store.js';
import type { AccountMoney } from '../account-money.js';
import type { AccountRows } from '../account-store.js';
import type { Users } from '../users.js';
import type { Buyer, Pack, PaymentMethod, Purchase } from './payments.js';
import { expiredMs, isPayable, newPurchaseId, type PurchaseRow, toPurchase } from './purchase-row.js';

const columns =
  'id, account, credits, amount, currency, method, status, created_at, submitted_at, paid_at, receipt, company, tax_number';
/** Lock classes, arbitrary but the same in all versions: for the orders of an account, and for all receipts. */
const orderLocks = 724_102;
const receiptLocks = 724_103;

export interface PurchaseStoreOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly users: Users;
  readonly money: AccountMoney;
  readonly audit: AuditStore;
}

/** Purchases. A receipt and its credits are written together. */
export class PurchaseStore implements AccountRows {
  readonly #options: PurchaseStoreOptions;

  constructor(options: PurchaseStoreOptions) {
    this.#options = options;
  }

  /** Returns the open order of the same pack and method, or a new one. */
  order(account: string, pack: Pack, method: PaymentMethod): Promise<Purchase> {
    return this.#options.database.transaction(async (queries) => {
      const now = this.#options.clock.now();
      // An order of an account that is being deleted could not be paid.
      await this.#options.users.lock(queries, account);
      await this.#lock(queries, account);
      await queries.run(
        `UPDATE purchases SET status = 'cancelled'
         WHERE account = $1 AND status = 'open' AND method = 'stripe' AND submitted_at IS NULL AND created_at <= $2`,
        [account, now - expiredMs],
      );
      const same = (await this.#open(queries, account, pack.credits, method)).find(
        (row) => row.amount === pack.amount && row.currency === pack.currency && isPayable(row, now),
      );
      return toPurchase(same ?? (await this.#insert(queries, account, pack, method, now)));
    });
  }

  list(account: string): Promise<readonly Purchase[]> {
    return this.#options.database.read(async (queries) => {
      const rows = await queries.rows<PurchaseRow>(
        `SELECT ${columns} FROM purchases WHERE account = $1 ORDER BY created_at DESC, id DESC`,
        [account],
      );
      return rows.map(toPurchase);
    });
  }

  async find(account: string, id: string): Promise<Purchase | null> {
    const purchase = await this.get(id);
    return purchase?.account === account ? purchase : null;
  }

  get(id: string): Promise<Purchase | null> {
    return this.#options.database.read(async (queries) => {
      const row = await this.#row(queries, id);
      return row === undefined ? null : toPurchase(row);
    });
  }

  /** Returns the number of all open orders that can still be paid, and up to `limit` of the newest. */
  listOpen(limit: number) {
    return this.#options.database.read(async (queries) => {
      const now = this.#options.clock.now();
      const rows = await queries.rows<PurchaseRow>(
        `SELECT ${columns} FROM purchases WHERE status = 'open' ORDER BY created_at DESC, id DESC`,
      );
      const open = rows.filter((row) => isPayable(row, now));
      return { total: open.length, newest: open.slice(0, limit).map(toPurchase) };
    });
  }

  /** Returns true for an open purchase that its buyer can still pay. */
  isPayable(id: string): Promise<boolean> {
    return this.#options.database.read(async (queries) => {
      const row = await this.#row(queries, id);
      return row !== undefined && isPayable(row, this.#options.clock.now());
    });
  }

  /**
   * Creates the receipt and grants the credits, once, even for a cancelled order, because the money has arrived.
   * Returns the previous status; does nothing to a `paid` purchase. Rejects `invalid_parameter` if there is no such
   * purchase.
   */
  pay(id: string): Promise<Purchase['status']> {
    return this.#options.database.transaction(async (queries) => {
      const row = await this.#row(queries, id, queries.dialect.forUpdate);
      if (row === undefined) throw new ExtractError('invalid_parameter', `There is no purchase ${id}.`);
      if (row.status !== 'paid') await this.#pay(queries, row, this.#options.clock.now());
      return row.status;
    });
  }

  /**
   * Pays the oldest open manual purchase of this many credits, or creates a paid one without a price. Rejects
   * `invalid_parameter` if there is no such account. Before rejecting, checks whether an unacknowledged commit
   * succeeded.
   */
  async payByHand(account: string, credits: number, currency: string): Promise<Purchase> {
    let purchase: Purchase | undefined;
    try {
      return await this.#options.database.transaction(async (queries) => {
        purchase = await this.#payByHand(queries, account, credits, currency);
        return purchase;
      });
    } catch (cause) {
      // If the commit succeeded without acknowledgement, a repeated payment would grant the credits twice.
      if (purchase !== undefined && (await this.#wasPaid(purchase).catch(() => false))) return purchase;
      throw cause;
    }
  }

  /** Records that a payment is in progress, which may take days. Only changes an open purchase. */
  async submit(id: string): Promise<void> {
    await this.#options.database.write((queries) =>
      queries.run(`UPDATE purchases SET submitted_at = $1 WHERE id = $2 AND status = 'open'`, [
        this.#options.clock.now(),
        id,
      ]),
    );
  }

  /** Cancels an open purchase; does nothing to others. */
  async cancel(id: string): Promise<void> {
    await this.#options.database.write((queries) =>
      queries.run(`UPDATE purchases SET status = 'cancelled' WHERE id = $1 AND status = 'open'`, [id]),
    );
  }

  findBuyer(account: string): Promise<Buyer | null> {
    return this.#options.database.read(
      async (queries) =>
        (await queries.first<Buyer>('SELECT company, tax_number FROM buyers WHERE account = $1', [
          account,
        ])) ?? null,
    );
  }

  async setBuyer(account: string, buyer: Buyer | null): Promise<void> {
    await this.#options.database.write((queries) =>
      buyer === null
        ? queries.run('DELETE FROM buyers WHERE account = $1', [account])
        : queries.run(
            `INSERT INTO buyers (account, company, tax_number) VALUES ($1, $2, $3)
             ON CONFLICT (account) DO UPDATE SET company = excluded.company, tax_number = excluded.tax_number`,
            [account, buyer.company, buyer.tax_number],
          ),
    );
  }

  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    await queries.run(`UPDATE purchases SET status = 'cancelled' WHERE account = $1 AND status = 'open'`, [
      account,
    ]);
    await queries.run('DELETE FROM buyers WHERE account = $1', [account]);
  }

  async #payByHand(queries: Queries, account: string, credits: number, currency: string): Promise<Purchase> {
    const now = this.#options.clock.now();
    await this.#options.users.lock(queries, account);
    await this.#lock(queries, account);
    const [oldest] = await this.#open(queries, account, credits, 'hand');
    const pack = { credits, amount: null, currency };
    const row = oldest ?? (await this.#insert(queries, account, pack, 'hand', now));
    const purchase = toPurchase(await this.#pay(queries, row, now));
    const details = { credits, purchase: purchase.id, receipt: purchase.receipt };
    await this.#options.audit.append(queries, { act: 'credits.grant', subject: account, details });
    return purchase;
  }

  /** Returns true if the payment is recorded. Waits for a running payment, which holds the same lock. */
  #wasPaid({ account, id, receipt, paid_at }: Purchase): Promise<boolean> {
    return this.#options.database.transaction(async (queries) => {
      await this.#lock(queries, account);
      const row = await this.#row(queries, id);
      const purchase = row && toPurchase(row);
      return purchase?.receipt === receipt && purchase.paid_at === paid_at;
    });
  }

  /** Creates the receipt of a locked, unpaid purchase, and grants its credits. */
  async #pay(queries: Queries, { id, account, credits }: PurchaseRow, now: number): Promise<PurchaseRow> {
    // A sequence would leave gaps when a transaction fails, which receipts must not have. This is the last lock
    // before the balance's, so other receipts wait only for the end of this transaction.
    await queries.lock(receiptLocks, 0);
    const receipt = await queries.first<{ readonly number: number }>(
      'SELECT coalesce(max(receipt), 0) + 1 AS number FROM purchases',
    );
    const row = await queries.first<PurchaseRow>(
      `UPDATE purchases SET status = 'paid', paid_at = $1, receipt = $2,
         company = (SELECT company FROM buyers WHERE buyers.account = purchases.account),
         tax_number = (SELECT tax_number FROM buyers WHERE buyers.account = purchases.account)
       WHERE id = $3 AND status <> 'paid' RETURNING ${columns}`,
      [now, receipt?.number ?? null, id],
    );
    if (row === undefined) throw new ExtractError('internal_error', `The purchase ${id} changed meanwhile.`);
    const at = new Date(now).toISOString();
    await this.#options.money.grant(queries, { id, account, credits, kind: 'pack', at });
    return row;
  }

  async #lock(queries: Queries, account: string): Promise<void> {
    await queries.lock(orderLocks, account);
  }

  #row(queries: Queries, id: string, lock = ''): Promise<PurchaseRow | undefined> {
    return queries.first<PurchaseRow>(`SELECT ${columns} FROM purchases WHERE id = $1 ${lock}`, [id]);
  }

  /** Returns and locks the open orders of this many credits, oldest first. */
  #open(
    queries: Queries,
    account: string,
    credits: number,
    method: PaymentMethod,
  ): Promise<readonly PurchaseRow[]> {
    return queries.rows<PurchaseRow>(
      `SELECT ${columns} FROM purchases WHERE account = $1 AND credits = $2 AND method = $3 AND status = 'open'
       ORDER BY created_at, id ${queries.dialect.forUpdate}`,
      [account, credits, method],
    );
  }

  async #insert(
    queries: Queries,
    account: string,
    { credits, amount, currency }: Pack,
    method: PaymentMethod,
    now: number,
  ): Promise<PurchaseRow> {
    const row = await queries.first<PurchaseRow>(
      `INSERT INTO purchases (id, account, credits, amount, currency, method, status, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'open', $7) RETURNING ${columns}`,
      [newPurchaseId(now), account, credits, amount, currency, method, now],
    );
    return row as PurchaseRow;
  }
}
