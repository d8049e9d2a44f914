import type Stripe from 'stripe';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { stripeAmount } from '../../../config/currency.js';
import { type PaymentProvider, packsPath } from './payments.js';

/** Payments on a page hosted by Stripe. */
export const stripeProvider = (client: () => Promise<Stripe>, publicUrl: string): PaymentProvider => ({
  method: 'stripe',
  /** Creates the page, or returns the one created for the purchase within the last day. */
  async begin(purchase, { email }) {
    const { id, credits, amount, currency } = purchase;
    if (amount === null) throw new ExtractError('internal_error', 'A purchase through Stripe has no price.');
    const back = `${publicUrl}${packsPath}`;
    try {
      const { checkout } = await client();
      const { url } = await checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: stripeAmount(amount, currency),
                product_data: { name: `${credits.toLocaleString('en')} credits` },
              },
            },
          ],
          // Keeps the price in one currency, which the event repeats.
          adaptive_pricing: { enabled: false },
          client_reference_id: id,
          metadata: { purchase: id },
          customer_email: email,
          success_url: `${back}?order=${id}`,
          cancel_url: back,
        },
        { idempotencyKey: id },
      );
      if (url === null) throw new Error('Stripe returned no URL for the payment page.');
      return { kind: 'redirect', url };
    } catch (cause) {
      throw new ExtractError('internal_error', 'The payment page is not available. Try again in a moment.', {
        cause,
      });
    }
  },
});
