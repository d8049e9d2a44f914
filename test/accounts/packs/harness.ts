import path from 'node:path';
import { after } from 'node:test';
import { openPayments } from '../../../src/accounts/packs/open-payments.js';
import type { Payments } from '../../../src/accounts/packs/payments.js';
import type { StripeHost } from '../../../src/accounts/packs/stripe-client.js';
import { readHostingConfig } from '../../../src/config/hosting-config.js';
import { type OpenStore, openStore } from '../../../src/open-store.js';
import { FakeClock } from '../../support/fake-clock.js';
import { type SessionEvent, sessionEvent, signed } from '../../support/fake-stripe.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = temporaryFolder();
let homes = 0;

export const webhookSecret = 'whsec_test';
const stripeSettings = { EXTRACT_STRIPE_KEY: 'sk_test_1', EXTRACT_STRIPE_WEBHOOK_SECRET: webhookSecret };

export interface PacksHarness extends OpenStore {
  readonly home: string;
  readonly file: string;
  readonly clock: FakeClock;
  readonly payments: Payments;
  /** The account that buys. */
  readonly account: string;
  /** What the operator was told of: account and words. */
  readonly troubles: [string, string][];
  /** Takes an event, signed now. */
  happen(event: SessionEvent): Promise<void>;
  credits(account?: string): Promise<number>;
}

/** Payments over a data directory of their own: by hand, or through Stripe at a host. */
export async function packsHarness(
  given: {
    home?: string;
    clock?: FakeClock;
    stripe?: StripeHost;
    settings?: Readonly<Record<string, string>>;
    proxy?: { httpProxy: string; httpsProxy: string };
  } = {},
): Promise<PacksHarness> {
  const home = given.home ?? path.join(root, String(++homes));
  const clock = given.clock ?? new FakeClock(Date.UTC(2026, 5, 1, 12));
  const opened = await openStore(home, clock, 0);
  after(() => opened.ledger.close());
  const { accounts, ledger } = opened;
  const known = await accounts.find('ann@example.com');
  const { id: account } =
    known ?? (await accounts.create({ email: 'ann@example.com', verified: true, credits: 0 }));
  const troubles: [string, string][] = [];
  const payments = openPayments({
    ...{
      purchases: opened.purchases,
      clock,
      publicUrl: 'https://x.test',
      proxy: given.proxy ?? {},
      stripeHost: given.stripe,
    },
    config: readHostingConfig({
      EXTRACT_PACK_PRICES: '50000=49.00,250000=199',
      ...(given.stripe === undefined ? {} : stripeSettings),
      ...given.settings,
    }),
    onError: (whose, cause) => troubles.push([whose, (cause as Error).message]),
  });
  return {
    ...opened,
    ...{ home, clock, payments, account, troubles, file: path.join(home, 'ledger.db') },
    async happen(event) {
      const body = sessionEvent(event);
      await payments.stripeEvent(Buffer.from(body), signed(body, webhookSecret, clock.now()));
    },
    async credits(whose = account) {
      return (await ledger.balance(whose)).credits;
    },
  };
}
