import type { Buyer, Pack, PaymentMethod, Purchase } from './payments.js';

/** The port to orders of packs and their receipts. Each change of credits is one transaction with its receipt. */
export interface Purchases {
  /** An order of a pack: the open one of the same pack and method, or a new one. */
  order(account: string, pack: Pack, method: PaymentMethod): Promise<Purchase>;
  /** Purchases of an account, newest first. */
  list(account: string): Promise<readonly Purchase[]>;
  /** The purchase of an account; null when it has no such one. */
  find(account: string, id: string): Promise<Purchase | null>;
  /** The purchase of an id, or null. */
  get(id: string): Promise<Purchase | null>;
  /** Open orders of all accounts that can still be paid: how many, and so many of the newest. */
  listOpen(limit: number): Promise<{ readonly total: number; readonly newest: readonly Purchase[] }>;
  /** True for an open purchase that its buyer can still pay. */
  isPayable(id: string): Promise<boolean>;
  /**
   * Makes the receipt and grants the credits, once, even for a cancelled order: the money is there. Resolves with the
   * status before; `paid` changes nothing. Rejects `invalid_parameter` when there is no such purchase.
   */
  pay(id: string): Promise<Purchase['status']>;
  /**
   * Pays the oldest open purchase by hand of so many credits, or makes a paid one without a price. Rejects
   * `invalid_parameter` when there is no such account. A commit that was not heard of is looked for before it rejects.
   */
  payByHand(account: string, credits: number, currency: string): Promise<Purchase>;
  /** Notes that a payment is on its way, which may take days. Changes an open purchase alone. */
  submit(id: string): Promise<void>;
  /** The recipient of an account's next receipts; null for the address alone. */
  findBuyer(account: string): Promise<Buyer | null>;
  /** Sets it, or removes it. */
  setBuyer(account: string, buyer: Buyer | null): Promise<void>;
  /** Cancels an open purchase; leaves any other. */
  cancel(id: string): Promise<void>;
}
