import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { type HostingConfig, packSizes } from '../../../config/hosting-config.js';
import {
  type Buyer,
  maxBuyerLength,
  type NextStep,
  type Pack,
  type PaymentProvider,
  type Payments,
  type Purchase,
} from './payments.js';
import type { Purchases } from './purchases.js';
import type { StripeEvents } from './stripe-events.js';

export interface PackPaymentsOptions {
  readonly purchases: Purchases;
  readonly config: Pick<HostingConfig, 'packPrices' | 'currency' | 'seller'>;
  readonly provider: PaymentProvider;
  /** Accepts Stripe's signed events; undefined if payments are confirmed by hand. */
  readonly events?: StripeEvents | undefined;
}

/** Payments for packs through one provider, over any store of purchases. */
export class PackPayments implements Payments {
  readonly packs: readonly Pack[];
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

  async resume(account: string, id: string, email: string): Promise<NextStep | null> {
    const { purchases, provider } = this.#options;
    const purchase = await purchases.find(account, id);
    const isOurs = purchase !== null && purchase.method === provider.method;
    if (!isOurs || !(await purchases.isPayable(id))) return null;
    return provider.begin(purchase, { email });
  }

  list(account: string): Promise<readonly Purchase[]> {
    return this.#options.purchases.list(account);
  }

  find(account: string, id: string): Promise<Purchase | null> {
    return this.#options.purchases.find(account, id);
  }

  async withdraw(account: string, id: string): Promise<boolean> {
    const { purchases } = this.#options;
    if ((await purchases.find(account, id))?.status !== 'open') return false;
    await purchases.cancel(id);
    return true;
  }

  findBuyer(account: string): Promise<Buyer | null> {
    return this.#options.purchases.findBuyer(account);
  }

  async setBuyer(account: string, buyer: Buyer | null): Promise<void> {
    if (buyer !== null && [buyer.company, buyer.tax_number].some((text) => text.length > maxBuyerLength)) {
      throw new ExtractError('invalid_parameter', `At most ${maxBuyerLength} characters fit on a receipt.`);
    }
    await this.#options.purchases.setBuyer(account, buyer);
  }

  confirmByHand(account: string, credits: number): Promise<Purchase> {
    const { purchases, config } = this.#options;
    return purchases.payByHand(account, credits, config.currency);
  }

  async applyStripeEvent(body: Buffer, signature: string): Promise<void> {
    const { events } = this.#options;
    if (events === undefined) {
      throw new ExtractError('invalid_parameter', 'This server does not accept payments through Stripe.');
    }
    await events.take(body, signature);
  }
}
