/** Credits as they are sold. */
export interface Pack {
  readonly credits: number;
  /** In the currency's smallest unit (cents); null where the operator has set no price. */
  readonly amount: number | null;
  /** ISO 4217, in capitals. */
  readonly currency: string;
}

/** Where buyers come back to, with the purchase they paid as `order`: the page of packs. */
export const packsPath = '/dashboard/packs';

export type PaymentMethod = 'hand' | 'stripe';

/** A pack that somebody wants or has bought: with `paid_at`, its receipt. */
export interface Purchase {
  /** `pur_…`: the number of the order and of the receipt. */
  readonly id: string;
  readonly account: string;
  readonly credits: number;
  readonly amount: number | null;
  readonly currency: string;
  readonly method: PaymentMethod;
  readonly status: 'open' | 'paid' | 'cancelled';
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly paid_at: string | null;
  /** Number of its receipt: one more than the receipt before it on this server; null until it is paid. */
  readonly receipt: number | null;
  /** The recipient of the receipt when the purchase was paid; null for the address alone. */
  readonly buyer: Buyer | null;
}

/** The recipient of receipts. */
export interface Buyer {
  readonly company: string;
  /** Empty for none. */
  readonly tax_number: string;
}

/** Characters of a company's name and of a tax number. */
export const maxBuyerLength = 200;

/** The buyer's next step. */
export type NextStep =
  | { readonly kind: 'redirect'; readonly url: string }
  /** The operator's words on how to pay. */
  | { readonly kind: 'instructions'; readonly text: string };

/**
 * The port to packs, purchases and receipts. A method that changes credits writes the receipt in the same
 * transaction.
 */
export interface Payments {
  readonly method: PaymentMethod;
  readonly packs: readonly Pack[];
  /** The seller as receipts name it, in lines; empty where the operator has not set it. */
  readonly seller: string;
  /**
   * Notes that an account wants a pack, or finds the open order of the same. Rejects `invalid_parameter` for credits
   * that are no pack or have no price where one is needed. Rejects as the provider does, with the order cancelled.
   */
  begin(
    account: string,
    credits: number,
    email: string,
  ): Promise<{ readonly purchase: Purchase; readonly next: NextStep }>;
  /** The next step for an open purchase; null when it is not open or not the account's. */
  resume(account: string, id: string, email: string): Promise<NextStep | null>;
  /** Purchases of an account, newest first. */
  list(account: string): Promise<readonly Purchase[]>;
  /** One of an account; null when it has no such one. */
  find(account: string, id: string): Promise<Purchase | null>;
  /** Cancels an open order; false when the account has no such one that is open. */
  withdraw(account: string, id: string): Promise<boolean>;
  /** The recipient of an account's next receipts; null for the address alone. */
  findBuyer(account: string): Promise<Buyer | null>;
  /** Sets it; receipts that are there stay as they are. Rejects `invalid_parameter` for a text that is too long. */
  setBuyer(account: string, buyer: Buyer | null): Promise<void>;
  /**
   * The operator has the money, or gives the credits away. Pays the oldest open purchase by hand of so many credits, or
   * makes a paid one where there is none. Grants the credits once for each call.
   */
  confirmByHand(account: string, credits: number): Promise<Purchase>;
  /**
   * Takes an event that Stripe signed, over the raw body. Each event is applied once, whatever order and however
   * often it comes. Rejects `invalid_parameter` when the signature does not hold.
   */
  applyStripeEvent(body: Buffer, signature: string): Promise<void>;
}

/** The port to whoever takes the money: by hand, or Stripe Checkout. */
export interface PaymentProvider {
  readonly method: PaymentMethod;
  /** Begins to take the price of an open purchase. Rejects `internal_error` when the provider cannot be reached. */
  begin(purchase: Purchase, buyer: { readonly email: string }): Promise<NextStep>;
}
