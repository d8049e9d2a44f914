export interface Pack {
  readonly credits: number;
  /** In the currency's smallest unit (cents); null if the operator has set no price. */
  readonly amount: number | null;
  /** ISO 4217, in capitals. */
  readonly currency: string;
}

/** Where buyers return to, with the purchase as `order`: the page of packs. */
export const packsPath = '/dashboard/packs';

/** Returns true if any pack has a price. Otherwise no page mentions buying. */
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

/** A payment provider: by hand, or Stripe Checkout. */
export interface PaymentProvider {
  readonly method: PaymentMethod;
  /** Starts the payment of an open purchase. Rejects `internal_error` if the provider cannot be reached. */
  begin(purchase: Purchase, buyer: { readonly email: string }): Promise<NextStep>;
}
