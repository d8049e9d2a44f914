import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { type HostingConfig, packSizes } from '../../../config/hosting-config.js';
import {
  type Buyer,
  maxBuyerLength,
  type NextStep,
  type Pack,
  type PaymentProvider,
  type Purchase,
} from './payments.js';
import type { PurchaseStore } from './purchase-store.js';
import type { TakeEvent } from './stripe-events.js';

export interface PackPaymentsOptions {
  readonly purchases: PurchaseStore;
  readonly config: Pick<HostingConfig, 'packPrices' | 'currency' | 'seller'>;
  readonly provider: PaymentProvider;
  /** Accepts Stripe's signed events; undefined if payments are confirmed by hand. */
  readonly events?: TakeEvent | undefined;
}

/** Payments for packs through one provider, over any store of purchases. */
export class PackPayments {
  readonly packs: readonly Pack[];
  /** The seller on receipts, in lines; empty if not configured. */
  readonly seller: string;
  readonly #options: PackPaymentsOptions;

  constructor(options: PackPaymentsOptions) {
    const { packPrices, currency, seller } = options.config;
    this.seller = seller ?? '';
    this.#options = options;
    this.packs = packSizes.map((credits) => {
      const price = packPrices.find((one) => one.credits === credits);
      return { credits, amount: price?.amount ?? null, currency };
    });
  }

  get method() {
    return this.#options.provider.method;
  }

  /**
   * Orders a pack, or returns the open order of the same pack. Rejects `invalid_parameter` for credits that are not a
   * pack or lack a required price. Rejects as the provider does, after cancelling the order.
   */
  async begin(
    account: string,
    credits: number,
    email: string,
  ): Promise<{ purchase: Purchase; next: NextStep }> {
    const { purchases, provider } = this.#options;
    const pack = this.packs.find((one) => one.credits === credits);
    if (pack === undefined) {
      throw new ExtractError('invalid_parameter', `There is no pack of ${credits} credits.`);
    }
    if (pack.amount === null && provider.method === 'stripe') {
      throw new ExtractError(
        'invalid_parameter',
        'This pack has no price yet. Ask the operator of this server.',
      );
    }
    const purchase = await purchases.order(account, pack, provider.method);
    try {
      return { purchase, next: await provider.begin(purchase, { email }) };
    } catch (cause) {
      // A provider may repeat its error for the same order, so the next attempt is a new one.
      await purchases.cancel(purchase.id);
      throw cause;
    }
  }

  /** Returns the next step for an open purchase; null if it is not open, or belongs to another account. */
  async resume(account: string, id: string, email: string): Promise<NextStep | null> {
    const { purchases, provider } = this.#options;
    const purchase = await purchases.find(account, id);
    const isOurs = purchase !== null && purchase.method === provider.method;
    if (!isOurs || !(await purchases.isPayable(id))) return null;
    return provider.begin(purchase, { email });
  }

  /** Returns the purchases of an account, newest first. */
  list(account: string): Promise<readonly Purchase[]> {
    return this.#options.purchases.list(account);
  }

  /** Returns a purchase of an account; null if it has none with this id. */
  find(account: string, id: string): Promise<Purchase | null> {
    return this.#options.purchases.find(account, id);
  }

  /** Cancels an open order. Returns false if the account has none with this id. */
  async withdraw(account: string, id: string): Promise<boolean> {
    const { purchases } = this.#options;
    if ((await purchases.find(account, id))?.status !== 'open') return false;
    await purchases.cancel(id);
    return true;
  }

  /** Returns the recipient of an account's next receipts; null for the e-mail address alone. */
  findBuyer(account: string): Promise<Buyer | null> {
    return this.#options.purchases.findBuyer(account);
  }

  /** Sets the recipient of later receipts. Rejects `invalid_parameter` for a text that is too long. */
  async setBuyer(account: string, buyer: Buyer | null): Promise<void> {
    if (buyer !== null && [buyer.company, buyer.tax_number].some((text) => text.length > maxBuyerLength)) {
      throw new ExtractError('invalid_parameter', `At most ${maxBuyerLength} characters fit on a receipt.`);
    }
    await this.#options.purchases.setBuyer(account, buyer);
  }

  /**
   * Records that the operator has received the money, or grants the credits for free. Pays the oldest open manual
   * purchase of this many credits, or creates a paid one. Each call grants the credits once.
   */
  confirmByHand(account: string, credits: number): Promise<Purchase> {
    const { purchases, config } = this.#options;
    return purchases.payByHand(account, credits, config.currency);
  }

  /**
   * Applies an event signed by Stripe from its raw body, once, in any order and number of deliveries. Rejects
   * `invalid_parameter` for an invalid signature.
   */
  async applyStripeEvent(body: Buffer, signature: string): Promise<void> {
    const { events } = this.#options;
    if (events === undefined) {
      throw new ExtractError('invalid_parameter', 'This server does not accept payments through Stripe.');
    }
    await events(body, signature);
  }
}
