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
  /** Called with a problem that the operator must resolve, and the account; empty if unknown. */
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

/** Returns the state of the payment that an event reports; null for an event of another kind. */
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

/** Applies an event of Stripe from its raw body. */
export type TakeEvent = (body: Buffer, signature: string) => Promise<void>;

/**
 * Returns a function that applies Stripe's events, each once: a paid purchase stays paid. Rejects `invalid_parameter`
 * for an invalid signature. An event with an unknown purchase or another price is reported to the operator and
 * dropped, because a redelivery would not change it.
 */
export function stripeEvents(options: StripeEventsOptions): TakeEvent {
  const { purchases, onError } = options;
  return async (body, signature) => {
    const event = await verifiedEvent(options, body, signature);
    const { id, type } = eventForm.parse(event);
    if (!type.startsWith('checkout.session.')) return;
    const about = (words: string) => new Error(`The Stripe event ${id} (${type}) ${words}`);
    const session = sessionForm.safeParse(event).data?.data.object;
    const purchase = session === undefined ? null : await purchases.get(session.metadata.purchase);
    if (session === undefined || purchase === null) {
      return onError('', about('refers to an unknown purchase.'));
    }
    const outcome = outcomeOf(type, session);
    if (outcome === 'paid' && !isItsPrice(purchase, session)) {
      const price = `${session.amount_total} ${session.currency}`;
      return onError(purchase.account, about(`pays ${price} for ${purchase.id}: nothing was granted.`));
    }
    if (outcome === 'failed') await purchases.cancel(purchase.id);
    if (outcome === 'on its way') await purchases.submit(purchase.id);
    if (outcome === 'paid' && (await purchases.pay(purchase.id)) === 'cancelled') {
      onError(purchase.account, about(`pays ${purchase.id}, which had been cancelled.`));
    }
  };
}

async function verifiedEvent(
  { client, webhookSecret, clock }: StripeEventsOptions,
  body: Buffer,
  signature: string,
): Promise<unknown> {
  const { webhooks } = await client();
  try {
    return webhooks.constructEvent(body, signature, webhookSecret, undefined, undefined, clock.now());
  } catch (cause) {
    const message = 'The event lacks a valid signature by Stripe for this server.';
    throw new ExtractError('invalid_parameter', message, { cause });
  }
}

const isItsPrice = ({ amount, currency }: Purchase, session: Session): boolean =>
  amount !== null &&
  stripeAmount(amount, currency) === session.amount_total &&
  currency.toLowerCase() === session.currency.toLowerCase();
