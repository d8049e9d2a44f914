import { readHostingConfig } from '../../../../src/config/hosting-config.js';
import { openPayments } from '../../../../src/service/accounts/packs/open-payments.js';
import type { PackPayments } from '../../../../src/service/accounts/packs/pack-payments.js';
import type { StripeHost } from '../../../../src/service/accounts/packs/stripe-client.js';
import { FakeClock } from '../../../support/fake-clock.js';
import { type SessionEvent, sessionEvent, signPayload } from '../../../support/fake-stripe.js';
import {
  type OpenHostingStore,
  type SharedState,
  type StoreKind,
  storeKinds,
} from '../../../support/stores.js';

export const webhookSecret = 'whsec_test';
const stripeSettings = { EXTRACT_STRIPE_KEY: 'sk_test_1', EXTRACT_STRIPE_WEBHOOK_SECRET: webhookSecret };

export interface PacksHarness extends OpenHostingStore {
  readonly state: SharedState;
  readonly clock: FakeClock;
  readonly payments: PackPayments;
  /** The account that buys. */
  readonly account: string;
  /** Alerts sent to the operator: account and message. */
  readonly troubles: [string, string][];
  /** Takes an event, signed now. */
  happen(event: SessionEvent): Promise<void>;
  credits(account?: string): Promise<number>;
}

/** Payments over new state: manual, or through Stripe at a host. */
export async function packsHarness(
  options: {
    /** SQLite unless it says otherwise. */
    kind?: StoreKind;
    state?: SharedState;
    clock?: FakeClock;
    stripe?: StripeHost;
    settings?: Readonly<Record<string, string>>;
    proxy?: { httpProxy: string; httpsProxy: string };
  } = {},
): Promise<PacksHarness> {
  const kind = options.kind ?? (storeKinds[0] as StoreKind);
  const state = options.state ?? (await kind.make());
  const clock = options.clock ?? new FakeClock(Date.UTC(2026, 5, 1, 12));
  const opened = await state.open(clock, 0);
  const { accounts, money } = opened;
  const existing = await accounts.find('ann@example.com');
  const { id: account } =
    existing ?? (await accounts.create({ email: 'ann@example.com', verified: true, credits: 0 }));
  const troubles: [string, string][] = [];
  const payments = openPayments({
    ...{
      purchases: opened.purchases,
      clock,
      publicUrl: 'https://x.test',
      proxy: options.proxy ?? {},
      stripeHost: options.stripe,
    },
    config: readHostingConfig({
      EXTRACT_PACK_PRICES: '50000=49.00,250000=199',
      ...(options.stripe === undefined ? {} : stripeSettings),
      ...options.settings,
    }),
    onError: (owner, cause) => troubles.push([owner, (cause as Error).message]),
  });
  return {
    ...opened,
    ...{ state, clock, payments, account, troubles },
    async happen(event) {
      const body = sessionEvent(event);
      await payments.applyStripeEvent(Buffer.from(body), signPayload(body, webhookSecret, clock.now()));
    },
    async credits(owner = account) {
      return money.credits(owner);
    },
  };
}
