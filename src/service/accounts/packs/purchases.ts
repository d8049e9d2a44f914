import type { Buyer, Pack, PaymentMethod, Payments, Purchase } from './payments.js';

/** Orders of packs and their receipts. Credits and the receipt change in one transaction. */
export interface Purchases extends Pick<Payments, 'list' | 'find' | 'findBuyer'> {
  /** Returns the open order of the same pack and method, or a new one. */
  order(account: string, pack: Pack, method: PaymentMethod): Promise<Purchase>;
  get(id: string): Promise<Purchase | null>;
  /** Returns the number of all open orders that can still be paid, and up to `limit` of the newest. */
  listOpen(limit: number): Promise<{ readonly total: number; readonly newest: readonly Purchase[] }>;
  /** Returns true for an open purchase that its buyer can still pay. */
  isPayable(id: string): Promise<boolean>;
  /**
   * Creates the receipt and grants the credits, once, even for a cancelled order, because the money has arrived.
   * Returns the previous status; does nothing to a `paid` purchase. Rejects `invalid_parameter` if there is no such
   * purchase.
   */
  pay(id: string): Promise<Purchase['status']>;
  /**
   * Pays the oldest open manual purchase of this many credits, or creates a paid one without a price. Rejects
   * `invalid_parameter` if there is no such account. Before rejecting, checks whether an unacknowledged commit
   * succeeded.
   */
  payByHand(account: string, credits: number, currency: string): Promise<Purchase>;
  /** Records that a payment is in progress, which may take days. Only changes an open purchase. */
  submit(id: string): Promise<void>;
  setBuyer(account: string, buyer: Buyer | null): Promise<void>;
  /** Cancels an open purchase; does nothing to others. */
  cancel(id: string): Promise<void>;
}
