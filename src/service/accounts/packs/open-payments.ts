import type { Clock } from '../../../../lib/runtime/clock.js';
import { makeOnce } from '../../../../lib/runtime/make-once.js';
import type { ProxySettings } from '../../../../lib/web/proxies.js';
import type { HostingConfig } from '../../../config/hosting-config.js';
import { PackPayments } from './pack-payments.js';
import type { NextStep, PaymentProvider, Purchase } from './payments.js';
import type { PurchaseStore } from './purchase-store.js';
import type { StripeHost } from './stripe-client.js';
import { StripeEvents } from './stripe-events.js';
import { StripeProvider } from './stripe-provider.js';

class HandProvider implements PaymentProvider {
  readonly method = 'hand';
  readonly #text: string | undefined;

  /** `text`: how to pay, in the operator's words. */
  constructor(text: string | undefined) {
    this.#text = text;
  }

  async begin({ id }: Purchase): Promise<NextStep> {
    const defaultText = `Ask the operator of this server how to pay, quoting order ${id}.`;
    return { kind: 'instructions', text: this.#text ?? defaultText };
  }
}

export interface OpenPaymentsOptions {
  readonly purchases: PurchaseStore;
  readonly config: HostingConfig;
  readonly clock: Clock;
  /** Address of the dashboard, without a trailing slash. */
  readonly publicUrl: string;
  readonly proxy: ProxySettings;
  /** Called for failures outside of a request, with the account; empty if it concerns none or all of them. */
  readonly onError: (account: string, cause: unknown) => void;
  readonly stripeHost?: StripeHost | undefined;
}

/** Opens the configured payments: through Stripe, or confirmed by the operator. */
export function openPayments(options: OpenPaymentsOptions): PackPayments {
  const { purchases, config, clock, publicUrl, proxy, onError, stripeHost } = options;
  const { stripe } = config;
  if (stripe === undefined) {
    return new PackPayments({ purchases, config, provider: new HandProvider(config.paymentText) });
  }
  // The package is large, and only needed when someone pays.
  const { get: client } = makeOnce(async () => {
    const { stripeClient } = await import('./stripe-client.js');
    return stripeClient({ key: stripe.key, proxy, host: stripeHost });
  });
  const { webhookSecret } = stripe;
  const events = new StripeEvents({ client, webhookSecret, purchases, clock, onError });
  return new PackPayments({ purchases, config, provider: new StripeProvider(client, publicUrl), events });
}
