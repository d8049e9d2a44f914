import type { Clock } from '../../../lib/runtime/clock.js';
import type { ProxySettings } from '../../../lib/web/connections.js';
import type { HostingConfig } from '../../config/hosting-config.js';
import type { OpenStore } from '../../open-store.js';
import { HandProvider } from './hand-provider.js';
import { Purchases } from './sqlite/purchases.js';
import { SqlitePayments } from './sqlite/sqlite-payments.js';
import type { StripeHost } from './stripe-client.js';
import { StripeEvents } from './stripe-events.js';
import { StripeProvider } from './stripe-provider.js';

export interface OpenPaymentsOptions {
  readonly opened: OpenStore;
  readonly config: HostingConfig;
  readonly clock: Clock;
  /** Where the dashboard is, without a trailing slash. */
  readonly publicUrl: string;
  readonly proxy: ProxySettings;
  /** Told of what went wrong behind the pages, and for which account; empty where it is none or all of them. */
  readonly troubled: (account: string, cause: unknown) => void;
  readonly stripeHost?: StripeHost | undefined;
}

/** Payments that the operator confirms, whatever else the settings have. */
export function paymentsByHand(opened: OpenStore, clock: Clock, config: HostingConfig): SqlitePayments {
  const { books, holders } = opened;
  const provider = new HandProvider(config.paymentText);
  return new SqlitePayments({ books, holders, purchases: new Purchases(books), clock, config, provider });
}

/** Payments as the settings have them: through Stripe, or by hand. */
export function openPayments(options: OpenPaymentsOptions): SqlitePayments {
  const { opened, config, clock, publicUrl, proxy, troubled, stripeHost } = options;
  const { stripe } = config;
  if (stripe === undefined) return paymentsByHand(opened, clock, config);
  const { books, holders } = opened;
  const purchases = new Purchases(books);
  // The package is large, and wanted only when somebody pays.
  let loaded: Promise<import('stripe').default> | undefined;
  const client = () => {
    loaded ??= import('./stripe-client.js').then(({ stripeClient }) =>
      stripeClient({ key: stripe.key, proxy, host: stripeHost }),
    );
    return loaded;
  };
  const { webhookSecret } = stripe;
  const events = new StripeEvents({ client, webhookSecret, books, purchases, clock, troubled });
  const provider = new StripeProvider(client, publicUrl);
  return new SqlitePayments({ books, holders, purchases, clock, config, provider, events });
}
