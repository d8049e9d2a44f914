import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { type HostingConfig, packSizes } from '../../../config/hosting-config.js';
import type { Users } from '../../sqlite/users.js';
import type { NextStep, Pack, PaymentProvider, Payments, Purchase } from '../payments.js';
import type { StripeEvents } from '../stripe-events.js';
import type { Purchases } from './purchases.js';

export interface PaymentsOptions {
  readonly books: LedgerDatabase;
  readonly holders: Users;
  readonly purchases: Purchases;
  readonly clock: Clock;
  readonly config: Pick<HostingConfig, 'packPrices' | 'currency'>;
  readonly provider: PaymentProvider;
  /** Takes the signed events of Stripe; none where payments are by hand. */
  readonly events?: StripeEvents | undefined;
}

/** Packs, purchases and receipts in the file of the ledger. */
export class SqlitePayments implements Payments {
  readonly packs: readonly Pack[];
  readonly #options: PaymentsOptions;

  constructor(options: PaymentsOptions) {
    const { packPrices, currency } = options.config;
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
    const { books, purchases, clock, provider } = this.#options;
    const pack = this.packs.find((one) => one.credits === credits);
    if (pack === undefined) {
      throw new ExtractError('invalid_parameter', `There is no pack of ${credits} credits.`);
    }
    if (pack.amount === null && provider.method === 'stripe') {
      throw new ExtractError(
        'invalid_parameter',
        'This pack has no price yet. Ask whoever runs this server.',
      );
    }
    const purchase = await books.write(() =>
      this.#options.purchases.order(account, pack, provider.method, clock.now()),
    );
    try {
      return { purchase, next: await provider.begin(purchase, { email }) };
    } catch (cause) {
      // A provider may give the same fault again for the same order, so the next try is another one.
      await books.write(() => purchases.cancel(purchase.id));
      throw cause;
    }
  }

  async resume(account: string, id: string, email: string): Promise<NextStep | null> {
    const { clock, provider } = this.#options;
    const purchase = this.#options.purchases.find(account, id);
    const isOurs = purchase !== null && purchase.method === provider.method;
    if (!isOurs || !this.#options.purchases.isPayable(id, clock.now())) return null;
    return provider.begin(purchase, { email });
  }

  async list(account: string): Promise<readonly Purchase[]> {
    return this.#options.purchases.list(account);
  }

  async find(account: string, id: string): Promise<Purchase | null> {
    return this.#options.purchases.find(account, id);
  }

  confirmByHand(account: string, credits: number): Promise<Purchase> {
    const { books, holders, clock, config } = this.#options;
    return books.write(() => {
      const now = clock.now();
      holders.byId(account);
      const order = this.#options.purchases.orderedByHand(account, credits, config.currency, now);
      this.#options.purchases.pay(order, now);
      return this.#options.purchases.byId(order.id) as Purchase;
    });
  }

  async stripeEvent(body: Buffer, signature: string): Promise<void> {
    const { events } = this.#options;
    if (events === undefined) {
      throw new ExtractError('invalid_parameter', 'This server takes no payments through Stripe.');
    }
    await events.take(body, signature);
  }
}
