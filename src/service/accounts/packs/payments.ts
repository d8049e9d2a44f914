export interface Pack {
  readonly credits: number;
  /** In the currency's smallest unit (cents); null if the operator has set no price. */
  readonly amount: number | null;
  /** ISO 4217, in capitals. */
  readonly currency: string;
}

/** Where buyers return to, with the purchase as `order`: the page of packs. */
export const packsPath = '/dashboard/packs';

/** True if a pack has a price here. Otherwise nothing mentions buying. */
export const hasPrices = (packs: readonly Pack[]) => packs.some(({ amount }) => amount !== null);

export type PaymentMethod = 'hand' | 'stripe';

/** An order of a pack; with `paid_at` also its receipt. */
export interface Purchase extends Pack {
  /** `pur_…`: the number of order and receipt. */
  readonly id: string;
  readonly account: string;
  readonly method: PaymentMethod;
  readonly status: 'open' | 'paid' | 'cancelled';
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly paid_at: string | null;
  /** The number of its receipt, consecutive on this server; null until it is paid. */
  readonly receipt: number | null;
  /** The recipient of the receipt when it was paid; null for the e-mail address alone. */
  readonly buyer: Buyer | null;
}

export interface Buyer {
  readonly company: string;
  readonly tax_number: string;
}

/** Maximum characters of a company's name and of a tax number. */
export const maxBuyerLength = 200;

/** The buyer's next step. */
export type NextStep =
  | { readonly kind: 'redirect'; readonly url: string }
  /** How to pay, in the operator's words. */
  | { readonly kind: 'instructions'; readonly text: string };

/** Packs, purchases and receipts. Credits and the receipt are written in one transaction. */
export interface Payments {
  readonly method: PaymentMethod;
  readonly packs: readonly Pack[];
  /** The seller on receipts, in lines; empty if not configured. */
  readonly seller: string;
  /**
   * Orders a pack, or returns the open order of the same pack. Rejects `invalid_parameter` for credits that are not a
   * pack or lack a required price. Rejects as the provider does, after cancelling the order.
   */
  begin(
    account: string,
    credits: number,
    email: string,
  ): Promise<{ readonly purchase: Purchase; readonly next: NextStep }>;
  /** Returns the next step for an open purchase; null if it is not open or not of this account. */
  resume(account: string, id: string, email: string): Promise<NextStep | null>;
  /** Returns the purchases of an account, newest first. */
  list(account: string): Promise<readonly Purchase[]>;
  /** Returns a purchase of an account; null if it has none with this id. */
  find(account: string, id: string): Promise<Purchase | null>;
  /** Cancels an open order. Returns false if the account has none with this id. */
  withdraw(account: string, id: string): Promise<boolean>;
  /** Returns the recipient of an account's next receipts; null for the e-mail address alone. */
  findBuyer(account: string): Promise<Buyer | null>;
  /** Sets the recipient of later receipts. Rejects `invalid_parameter` for a text that is too long. */
  setBuyer(account: string, buyer: Buyer | null): Promise<void>;
  /**
   * Records that the operator has received the money, or gives the credits away. Pays the oldest open manual purchase
   * of this many credits, or creates a paid one. Each call grants the credits once.
   */
  confirmByHand(account: string, credits: number): Promise<Purchase>;
  /**
   * Applies an event signed by Stripe from its raw body, once, in any order and number of deliveries. Rejects
   * `invalid_parameter` for an invalid signature.
   */
  applyStripeEvent(body: Buffer, signature: string): Promise<void>;
}

/** A payment provider: by hand, or Stripe Checkout. */
export interface PaymentProvider {
  readonly method: PaymentMethod;
  /** Starts the payment of an open purchase. Rejects `internal_error` if the provider cannot be reached. */
  begin(purchase: Purchase, buyer: { readonly email: string }): Promise<NextStep>;
}
