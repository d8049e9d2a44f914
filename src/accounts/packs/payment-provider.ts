import type { NextStep, PaymentMethod, Purchase } from './payments.js';

/** The port to whoever takes the money: by hand, or Stripe Checkout. */
export interface PaymentProvider {
  readonly method: PaymentMethod;
  /** Begins to take the price of an open purchase. Rejects `internal_error` when the provider cannot be reached. */
  begin(purchase: Purchase, buyer: { readonly email: string }): Promise<NextStep>;
}
