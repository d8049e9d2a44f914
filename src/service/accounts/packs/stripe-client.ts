import Stripe from 'stripe';
import { fetch, type RequestInit } from 'undici';
import { version } from '../../../../lib/runtime/version.js';
import { type Proxies, type ProxySettings, proxiesOf } from '../../../../lib/web/proxies.js';
import { tunnelAgent } from '../../../../lib/web/tunnel-agent.js';

/** The address of Stripe's API, for tests. */
export interface StripeHost {
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
}

export interface StripeClientOptions {
  readonly key: string;
  readonly proxy: ProxySettings;
  readonly host?: StripeHost | undefined;
}

/** Milliseconds for a request to Stripe, and its retries. */
const timeoutMs = 20_000;
const retries = 2;

function through(proxies: Proxies) {
  const dispatcher = tunnelAgent({ proxies });
  const proxied = (url: string, init: RequestInit) => fetch(url, { ...init, dispatcher });
  // The types of the two fetch functions differ only in names.
  return Stripe.createFetchHttpClient(proxied as unknown as typeof globalThis.fetch);
}

/** Creates a Stripe client that uses the configured proxies. */
export function stripeClient({ key, proxy, host }: StripeClientOptions): Stripe {
  const proxies = proxiesOf(proxy);
  return new Stripe(key, {
    appInfo: { name: 'public-extract', version },
    maxNetworkRetries: retries,
    telemetry: false,
    timeout: timeoutMs,
    ...(proxies === null ? {} : { httpClient: through(proxies) }),
    ...host,
  });
}
