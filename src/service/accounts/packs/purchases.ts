import type { Buyer, Pack, PaymentMethod, Payments, Purchase } from './payments.js';

/** The port to orders of packs and their receipts. Each change of credits is one transaction with its receipt. */
export interface Purchases extends Pick<Payments, 'list' | 'find' | 'findBuyer'> {
  /** Returns the open order of the same pack and method, or a new one. */
  order(account: string, pack: Pack, method: PaymentMethod): Promise<Purchase>;
  /** Returns the purchase of an id, or null. */
  get(id: string): Promise<Purchase | null>;
  /** Returns the number of open orders of all accounts that can still be paid, and up to `limit` of the newest. */
  listOpen(limit: number): Promise<{ readonly total: number; readonly newest: readonly Purchase[] }>;
  /** Returns true for an open purchase that its buyer can still pay. */
  isPayable(id: string): Promise<boolean>;
  /**
   * Creates the receipt and grants the credits, once, even for a cancelled order, because the money has arrived.
   * Returns the previous status; a `paid` purchase is not changed. Rejects `invalid_parameter` if there is no such
   * purchase.
   */
  pay(id: string): Promise<Purchase['status']>;
  /**
   * Pays the oldest open manual purchase of this many credits, or creates a paid one without a price. Rejects
   * `invalid_parameter` if there is no such account. Before it rejects, it checks for a commit that was not
   * acknowledged.
   */
  payByHand(account: string, credits: number, currency: string): Promise<Purchase>;
  /** Records that a payment is in progress, which may take days. Only changes an open purchase. */
  submit(id: string): Promise<void>;
  /** Sets it, or removes it. */
  setBuyer(account: string, buyer: Buyer | null): Promise<void>;
  /** Cancels an open purchase; others are not changed. */
  cancel(id: string): Promise<void>;
}
