import { monotonicFactory } from 'ulid';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Pack, PaymentMethod, Purchase } from '../payments.js';

interface Row extends Omit<Purchase, 'created_at' | 'paid_at'> {
  readonly created_at: number;
  readonly paid_at: number | null;
  readonly submitted_at: number | null;
}

/** Milliseconds that an order can be paid with Stripe: its page is there for a day, and not to its last minute. */
const stripeMs = 23 * 3_600_000;
/** Milliseconds after which that page is gone for certain. */
const goneMs = 25 * 3_600_000;

const nextId = monotonicFactory();
const iso = (time: number) => new Date(time).toISOString();

function shown({ submitted_at: _, ...row }: Row): Purchase {
  return { ...row, created_at: iso(row.created_at), paid_at: row.paid_at === null ? null : iso(row.paid_at) };
}

/** Purchases in the file of the ledger. What writes is to be run inside a transaction. */
export class Purchases {
  readonly #books: LedgerDatabase;
  readonly #sql;

  constructor(books: LedgerDatabase) {
    const { db } = books;
    this.#books = books;
    this.#sql = {
      insert: db.prepare<[string, string, number, number | null, string, PaymentMethod, number]>(
        `INSERT INTO purchases (id, account, credits, amount, currency, method, status, created_at)
         VALUES (?, ?, ?, ?, ?, ?, 'open', ?)`,
      ),
      byId: db.prepare<[string], Row>('SELECT * FROM purchases WHERE id = ?'),
      list: db.prepare<[string], Row>(
        'SELECT * FROM purchases WHERE account = ? ORDER BY created_at DESC, id DESC',
      ),
      open: db.prepare<[string, number, PaymentMethod], Row>(
        `SELECT * FROM purchases WHERE account = ? AND credits = ? AND method = ? AND status = 'open'
         ORDER BY created_at, id`,
      ),
      pay: db.prepare<[number, string]>(
        `UPDATE purchases SET status = 'paid', paid_at = ? WHERE id = ? AND status <> 'paid'`,
      ),
      submit: db.prepare<[number, string]>(
        `UPDATE purchases SET submitted_at = ? WHERE id = ? AND status = 'open'`,
      ),
      cancel: db.prepare<[string]>(
        `UPDATE purchases SET status = 'cancelled' WHERE id = ? AND status = 'open'`,
      ),
      cancelGone: db.prepare<[string, number]>(
        `UPDATE purchases SET status = 'cancelled' WHERE account = ? AND status = 'open' AND method = 'stripe'
           AND submitted_at IS NULL AND created_at <= ?`,
      ),
    };
  }

  list(account: string): readonly Purchase[] {
    return this.#sql.list.all(account).map(shown);
  }

  find(account: string, id: string): Purchase | null {
    const purchase = this.byId(id);
    return purchase?.account === account ? purchase : null;
  }

  byId(id: string): Purchase | null {
    const row = this.#sql.byId.get(id);
    return row === undefined ? null : shown(row);
  }

  /** True for an open one that its buyer can still do something about. */
  isPayable(id: string, now: number): boolean {
    const row = this.#sql.byId.get(id);
    return row !== undefined && this.#payable(row, now);
  }

  /** An order of a pack: the one that is open already, or a new one. */
  order(account: string, pack: Pack, method: PaymentMethod, now: number): Purchase {
    this.#sql.cancelGone.run(account, now - goneMs);
    const like = this.#sql.open
      .all(account, pack.credits, method)
      .find((row) => row.amount === pack.amount && row.currency === pack.currency && this.#payable(row, now));
    return like === undefined ? this.#insert(account, pack, method, now) : shown(like);
  }

  /** The oldest open order of so many credits that is paid by hand, or a new one without a price. */
  orderedByHand(account: string, credits: number, currency: string, now: number): Purchase {
    const [oldest] = this.#sql.open.all(account, credits, 'hand');
    if (oldest !== undefined) return shown(oldest);
    return this.#insert(account, { credits, amount: null, currency }, 'hand', now);
  }

  /**
   * Makes the receipt and grants the credits, once, even for a cancelled order: the money is there. False when it was
   * paid before.
   */
  pay({ id, account, credits }: Purchase, now: number): boolean {
    if (this.#sql.pay.run(now, id).changes === 0) return false;
    this.#books.postings.grant({ id, account, credits, kind: 'pack', at: iso(now) });
    return true;
  }

  /** The buyer has done what there was to do, and the payment takes its time. */
  submit(id: string, now: number): void {
    this.#sql.submit.run(now, id);
  }

  /** Cancels an open one. */
  cancel(id: string): void {
    this.#sql.cancel.run(id);
  }

  #payable({ status, method, submitted_at, created_at }: Row, now: number): boolean {
    return status === 'open' && submitted_at === null && (method === 'hand' || now < created_at + stripeMs);
  }

  #insert(
    account: string,
    { credits, amount, currency }: Pack,
    method: PaymentMethod,
    now: number,
  ): Purchase {
    const id = `pur_${nextId(now)}`;
    this.#sql.insert.run(id, account, credits, amount, currency, method, now);
    return shown(this.#sql.byId.get(id) as Row);
  }
}
