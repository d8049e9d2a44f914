import type Stripe from 'stripe';
import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { stripeAmount } from '../../../config/currency.js';
import type { Purchase } from './payments.js';
import type { PurchaseStore } from './purchase-store.js';

export interface StripeEventsOptions {
  readonly client: () => Promise<Stripe>;
  readonly webhookSecret: string;
  readonly purchases: PurchaseStore;
  readonly clock: Clock;
  /** Called with what the operator must look at, and the account; empty if unknown. */
  readonly onError: (account: string, cause: unknown) => void;
}

const eventForm = z.object({ id: z.string(), type: z.string() });
const sessionForm = z.object({
  data: z.object({
    object: z.object({
      metadata: z.object({ purchase: z.string() }),
      amount_total: z.int(),
      currency: z.string(),
      payment_status: z.string(),
    }),
  }),
});

type Session = z.output<typeof sessionForm>['data']['object'];

/** Returns the state of the payment that an event reports; null for a payment that is not ours. */
function outcomeOf(type: string, { payment_status }: Session): 'paid' | 'on its way' | 'failed' | null {
  switch (type) {
    case 'checkout.session.completed':
      return payment_status === 'paid' ? 'paid' : 'on its way';
    case 'checkout.session.async_payment_succeeded':
      return 'paid';
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return 'failed';
    default:
      return null;
  }
}

/** Stripe's events. Each takes effect once: paid is final. */
export class StripeEvents {
  readonly #options: StripeEventsOptions;

  constructor(options: StripeEventsOptions) {
    this.#options = options;
  }

  /**
   * Applies an event from its raw body. Rejects `invalid_parameter` for an invalid signature. An event that names no
   * purchase, or another price, is reported to the operator and dropped, because a repetition would not change it.
   */
  async take(body: Buffer, signature: string): Promise<void> {
    const { purchases, onError } = this.#options;
    const event = await this.#verified(body, signature);
    const { id, type } = eventForm.parse(event);
    if (!type.startsWith('checkout.session.')) return;
    const about = (words: string) => new Error(`The Stripe event ${id} (${type}) ${words}`);
    const session = sessionForm.safeParse(event).data?.data.object;
    const purchase = session === undefined ? null : await purchases.get(session.metadata.purchase);
    if (session === undefined || purchase === null) {
      return onError('', about('refers to an unknown purchase.'));
    }
    const outcome = outcomeOf(type, session);
    if (outcome === 'paid' && !this.#isItsPrice(purchase, session)) {
      const price = `${session.amount_total} ${session.currency}`;
      return onError(purchase.account, about(`pays ${price} for ${purchase.id}: nothing was granted.`));
    }
    if (outcome === 'failed') await purchases.cancel(purchase.id);
    if (outcome === 'on its way') await purchases.submit(purchase.id);
    if (outcome === 'paid' && (await purchases.pay(purchase.id)) === 'cancelled') {
      onError(purchase.account, about(`pays ${purchase.id}, which had been cancelled.`));
    }
  }

  async #verified(body: Buffer, signature: string): Promise<unknown> {
    const { client, webhookSecret, clock } = this.#options;
    const { webhooks } = await client();
    try {
      return webhooks.constructEvent(body, signature, webhookSecret, undefined, undefined, clock.now());
    } catch (cause) {
      throw new ExtractError(
        'invalid_parameter',
        'The event lacks a valid signature by Stripe for this server.',
        {
          cause,
        },
      );
    }
  }

  #isItsPrice({ amount, currency }: Purchase, session: Session): boolean {
    return (
      amount !== null &&
      stripeAmount(amount, currency) === session.amount_total &&
      currency.toLowerCase() === session.currency.toLowerCase()
    );
  }
}
