import type { TestContext } from 'node:test';
import Stripe from 'stripe';
import type { StripeHost } from '../../src/service/accounts/packs/stripe-client.js';
import { bodyOf, loopback } from './loopback.js';

/** The requests to the API, as form fields by name. */
interface AskedSession {
  readonly fields: Readonly<Record<string, string>>;
  readonly idempotencyKey: string;
  readonly authorization: string;
}

export interface FakeStripe {
  readonly host: StripeHost;
  readonly requests: AskedSession[];
  /** Statuses with which the next requests are refused. */
  readonly faults: number[];
}

/** Stripe's API for checkout sessions, as far as we use it: one session per idempotency key. */
export async function fakeStripe(t: TestContext): Promise<FakeStripe> {
  const requests: AskedSession[] = [];
  const faults: number[] = [];
  const sessions = new Map<string, string>();
  const server = await loopback(t, async (request, response) => {
    const fields = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    const { authorization = '', 'idempotency-key': key = '' } = request.headers;
    requests.push({ fields, authorization, idempotencyKey: String(key) });
    const fault = faults.shift();
    response.setHeader('content-type', 'application/json');
    if (fault !== undefined) {
      response.statusCode = fault;
      response.end(JSON.stringify({ error: { type: 'api_error', message: 'it failed' } }));
      return;
    }
    const id = sessions.get(String(key)) ?? `cs_test_${sessions.size + 1}`;
    sessions.set(String(key), id);
    response.end(JSON.stringify({ id, object: 'checkout.session', url: `https://checkout.test/${id}` }));
  });
  return { host: { protocol: 'http', host: '127.0.0.1', port: server.port }, requests, faults };
}

const stripe = new Stripe('sk_test_unused');
let events = 0;

export interface SessionEvent {
  readonly type: string;
  readonly purchase: string | null;
  readonly amount?: number;
  readonly currency?: string;
  readonly paymentStatus?: string;
}

/** The body of an event about a checkout session. */
export function sessionEvent({
  type,
  purchase,
  amount = 4900,
  currency = 'eur',
  paymentStatus = 'paid',
}: SessionEvent): string {
  events += 1;
  const object = {
    ...{ id: 'cs_test_1', object: 'checkout.session', amount_total: amount, currency },
    ...{ payment_status: paymentStatus, metadata: purchase === null ? {} : { purchase } },
  };
  return JSON.stringify({
    id: `evt_${events}`,
    object: 'event',
    type: `checkout.session.${type}`,
    data: { object },
  });
}

/** The `Stripe-Signature` header of a body at a time in milliseconds, by Stripe's own test helper. */
export function signPayload(payload: string, secret: string, now: number): string {
  return stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(now / 1000) });
}
