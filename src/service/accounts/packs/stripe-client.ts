import Stripe from 'stripe';
import { fetch, type RequestInit } from 'undici';
import { version } from '../../../../lib/runtime/version.js';
import { type Proxies, type ProxySettings, proxiesOf } from '../../../../lib/web/proxies.js';
import { tunnelAgent } from '../../../../lib/web/tunnel-agent.js';

/** Where Stripe's API is, for tests that are one. */
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

/** Milliseconds that one request to Stripe may take, and how often it is made again. */
const timeoutMs = 20_000;
const retries = 2;

/** Stripe's requests through proxies. */
function through(proxies: Proxies) {
  const dispatcher = tunnelAgent({ proxies });
  const proxied = (url: string, init: RequestInit) => fetch(url, { ...init, dispatcher });
  // Two descriptions of one and the same function that differ in names alone.
  return Stripe.createFetchHttpClient(proxied as unknown as typeof globalThis.fetch);
}

/** A client of Stripe that goes through the proxies of the settings. */
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
