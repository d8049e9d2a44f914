import assert from 'node:assert/strict';
import { readHostingConfig } from '../../../src/config/hosting-config.js';
import { openHosting } from '../../../src/service/accounts/hosting.js';
import type { StripeHost } from '../../../src/service/accounts/packs/stripe-client.js';
import { FakeClock } from '../../support/fake-clock.js';
import { type SessionEvent, sessionEvent, signPayload } from '../../support/fake-stripe.js';
import { MemoryMailer } from '../../support/memory-mailer.js';
import type { SharedState, StoreKind } from '../../support/stores.js';

export const email = 'ann@example.com';
export const webhookSecret = 'whsec_test';
const stripeSettings = { EXTRACT_STRIPE_KEY: 'sk_test_1', EXTRACT_STRIPE_WEBHOOK_SECRET: webhookSecret };

export interface HostedOptions {
  /** State that another process has open, by the same clock; new state without it. */
  readonly state?: SharedState;
  readonly clock?: FakeClock;
  readonly trial?: number;
  readonly mailer?: MemoryMailer;
  readonly settings?: Readonly<Record<string, string>>;
  /** Where Stripe is, through which packs are sold. Without it they are paid by hand. */
  readonly stripe?: StripeHost;
  readonly proxy?: { readonly httpProxy: string; readonly httpsProxy: string };
}

export type Hosted = Awaited<ReturnType<typeof hosted>>;

/** What one process has of the accounts of a hosted server. */
export async function hosted(kind: StoreKind, options: HostedOptions = {}) {
  const { trial = 500, mailer = new MemoryMailer(), stripe, settings, proxy = {} } = options;
  const state = options.state ?? (await kind.make());
  const clock = options.clock ?? new FakeClock(Date.UTC(2026, 5, 1, 12));
  const store = await state.open(clock, trial);
  /** What was reported to the operator: the account and the message. */
  const troubles: [string, string][] = [];
  const hosting = openHosting({
    ...{ store, mailer, clock, publicUrl: 'https://x.test', proxy, stripeHost: stripe },
    config: readHostingConfig({ ...(stripe === undefined ? {} : stripeSettings), ...settings }),
    onError: (account, cause) => troubles.push([account, (cause as Error).message]),
  });
  const { accounts, signIn, payments } = hosting;
  const create = (changes: { email?: string; verified?: boolean; credits?: number } = {}) =>
    accounts.create({ email, verified: true, credits: 0, ...changes });
  return {
    ...{ ...store, ...hosting, state, clock, mailer, troubles, create },
    credits: store.money.credits,
    /** Creates a key of an account. */
    createKey: (account: string, more: { name?: string; monthlyCredits?: number; expiresAt?: number } = {}) =>
      accounts.createKey({ account, name: 'one', platforms: null, ...more }),
    /** Requests a link and opens it in the same browser. */
    async enter(address = email) {
      await signIn.request({ email: address, address: '203.0.113.7', next: '/' });
      const signed = await signIn.confirm(mailer.token(), 'Test/1');
      return signed ?? assert.fail('The link does not work.');
    },
    /** Takes an event of Stripe, signed now. */
    async happen(event: SessionEvent) {
      const body = sessionEvent(event);
      await payments.applyStripeEvent(Buffer.from(body), signPayload(body, webhookSecret, clock.now()));
    },
    /** The number of rows of a table. */
    async count(table: string) {
      const [row] = await state.rows<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
      return row?.count ?? 0;
    },
  };
}
