import type { Clock } from '../../../../lib/runtime/clock.js';
import { makeOnce } from '../../../../lib/runtime/make-once.js';
import type { ProxySettings } from '../../../../lib/web/proxies.js';
import type { HostingConfig } from '../../../config/hosting-config.js';
import { PackPayments } from './pack-payments.js';
import type { PaymentProvider } from './payments.js';
import type { PurchaseStore } from './purchase-store.js';
import type { StripeHost } from './stripe-client.js';
import { stripeEvents } from './stripe-events.js';
import { stripeProvider } from './stripe-provider.js';

/** Payments confirmed by the operator. `text`: how to pay, in the operator's words. */
const handProvider = (text: string | undefined): PaymentProvider => ({
  method: 'hand',
  begin: async ({ id }) => ({
    kind: 'instructions',
    text: text ?? `Ask the operator of this server how to pay, quoting order ${id}.`,
  }),
});

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
    return new PackPayments({ purchases, config, provider: handProvider(config.paymentText) });
  }
  // The package is large, and only needed when someone pays.
  const { get: client } = makeOnce(async () => {
    const { stripeClient } = await import('./stripe-client.js');
    return stripeClient({ key: stripe.key, proxy, host: stripeHost });
  });
  const { webhookSecret } = stripe;
  const events = stripeEvents({ client, webhookSecret, purchases, clock, onError });
  return new PackPayments({ purchases, config, provider: stripeProvider(client, publicUrl), events });
}
